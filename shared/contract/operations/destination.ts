/** A destination: a cloud that traces of this machine are forwarded to. */
import { z } from 'zod';
import { bounded, text } from '../core/parameters.ts';
import { redactionPolicy } from './redaction.ts';

const moment = z.iso.datetime();

export const destinationName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be up to 40 lower-case letters, digits and hyphens, and begin with a letter or a digit')
  .meta({ description: 'Its name on this machine.' });

const waitReasons = ['offline', 'portal', 'server_error', 'slowed', 'quota', 'store'] as const;
const pauseReasons = ['address', 'key', 'permission', 'incompatible', 'certificate', 'no_key', 'secrets', 'itself'] as const;

/** `off`: turned off by the user. `waiting`: retries by itself. `paused`: needs the user to act. */
const state = z
  .object({
    is: z.enum(['off', 'up_to_date', 'sending', 'waiting', 'paused']),
    why: z.enum([...waitReasons, ...pauseReasons]).nullable(),
    message: z.string().meta({ description: 'The message of the destination, or of the network.' }),
    since: moment.nullable(),
    until: moment.nullable().meta({ description: 'When it is retried; null when it is not retried by itself.' }),
  })
  .meta({ id: 'DestinationState' });
export type DestinationState = z.output<typeof state>;

const key = z
  .object({
    shown: z.string().nullable().meta({ description: 'Its first and last characters; null when there is none. No answer contains more.' }),
    kept: z.enum(['durably', 'until_restart', 'environment']).meta({ description: 'Where it is stored, or would be.' }),
  })
  .meta({ id: 'DestinationKey' });

const waitingCounts = z
  .object({
    spans: z.int(),
    logs: z.int(),
    scores: z.int(),
    oldest: moment.nullable().meta({ description: 'When the oldest of them arrived here.' }),
  })
  .meta({ description: 'What has not been accepted yet.' });

export const destination = z
  .object({
    name: destinationName,
    url: z.string(),
    viewer_url: z.string().nullable().meta({ description: 'Where people open its viewer, for links to forwarded traces. Additive.' }),
    app_id: z.string(),
    tenant_name: z.string().nullable(),
    app_name: z.string().nullable(),
    environment: z.string().nullable(),
    automatic: z.boolean().meta({ description: 'False: only traces that are forwarded by hand.' }),
    is_paused: z.boolean(),
    policy: redactionPolicy,
    key,
    state,
    waiting: waitingCounts,
    sent: z.int().meta({ description: 'Total number of spans.' }),
    refused: z.int().meta({ description: 'Spans that the destination received and rejected.' }),
    refusal: z.string().meta({ description: 'Why the latest of them was rejected.' }),
    dead_letters: z.int().meta({ description: 'Dead letters: messages that were refused for good.' }),
    spans_per_second: z.number(),
    last_success: moment.nullable(),
    receipt: z.string().nullable().meta({ description: 'The request id of the last accepted batch.' }),
    last_error: z.object({ at: moment, code: z.string(), message: z.string() }).nullable(),
    created_at: moment,
  })
  .meta({ id: 'Destination' });
export type Destination = z.output<typeof destination>;

const url = text.min(1, 'must not be empty').max(2048, 'must not be longer than 2048 characters');
const appId = bounded(1, 128);
const newKey = bounded(1, 512);

export const newDestination = z.object({
  name: destinationName,
  url,
  app_id: appId,
  key: newKey.meta({ description: 'A service key of that app. It is stored separately from traces and never shown again.' }),
  with_all: z.boolean().default(false).meta({ description: 'Also forward what is already stored.' }),
  automatic: z.boolean().default(true),
  is_paused: z
    .boolean()
    .default(false)
    .meta({ description: 'Nothing is sent before it is resumed, so that redaction rules can be set first.' }),
});
export type NewDestination = z.output<typeof newDestination>;

export const destinationChange = z
  .object({
    is_paused: z.boolean(),
    automatic: z.boolean(),
    url: url.meta({ description: 'Removes the key unless the same request sets one: a key is for one address.' }),
    app_id: appId,
    key: newKey,
    policy: redactionPolicy,
  })
  .partial();
export type DestinationChange = z.output<typeof destinationChange>;
