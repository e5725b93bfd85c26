/** What is said of a destination: a cloud that traces of this machine are forwarded to. */
import { z } from 'zod';
import { bounded, text } from '../core/parameters.ts';
import { redactionPolicy } from './redaction.ts';

const moment = z.iso.datetime();

export const destinationName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be up to 40 small letters, digits and dashes, and begin with a letter or a digit')
  .meta({ description: 'What it is called here.' });

const waits = ['offline', 'portal', 'server_error', 'slowed', 'quota', 'store'] as const;
const pauses = ['address', 'key', 'permission', 'incompatible', 'certificate', 'no_key', 'secrets', 'itself'] as const;

/** `off` by whoever uses it; `waiting` tries again by itself; `paused` waits for somebody to do something. */
const state = z
  .object({
    is: z.enum(['off', 'up_to_date', 'sending', 'waiting', 'paused']),
    why: z.enum([...waits, ...pauses]).nullable(),
    message: z.string().meta({ description: 'What the other side said, or the network.' }),
    since: moment.nullable(),
    until: moment.nullable().meta({ description: 'When it is tried again; null when not by itself.' }),
  })
  .meta({ id: 'DestinationState' });
export type DestinationState = z.output<typeof state>;

const key = z
  .object({
    shown: z.string().nullable().meta({ description: 'Its first and last letters; null when there is none. No answer holds more.' }),
    kept: z.enum(['durably', 'until_restart', 'environment']).meta({ description: 'Where it is, or would be.' }),
  })
  .meta({ id: 'DestinationKey' });

const waiting = z
  .object({
    spans: z.int(),
    logs: z.int(),
    scores: z.int(),
    oldest: moment.nullable().meta({ description: 'When the oldest of them arrived here.' }),
  })
  .meta({ description: 'What has not been taken yet.' });

export const destination = z
  .object({
    name: destinationName,
    url: z.string(),
    app_id: z.string(),
    tenant_name: z.string().nullable(),
    app_name: z.string().nullable(),
    environment: z.string().nullable(),
    automatic: z.boolean().meta({ description: 'False: only traces that are forwarded by hand.' }),
    is_paused: z.boolean(),
    policy: redactionPolicy,
    key,
    state,
    waiting,
    sent: z.int().meta({ description: 'Spans, ever.' }),
    refused: z.int().meta({ description: 'Spans that the other side looked at and did not keep.' }),
    refusal: z.string().meta({ description: 'Why the last of them was refused.' }),
    dead_letters: z.int().meta({ description: 'Dead letters: messages that were refused for good.' }),
    spans_per_second: z.number(),
    last_success: moment.nullable(),
    receipt: z.string().nullable().meta({ description: 'The request id of the last batch that was taken.' }),
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
  key: newKey.meta({ description: 'A service key of that app. It is kept apart from traces and never shown again.' }),
  with_all: z.boolean().default(false).meta({ description: 'Also what is here already.' }),
  automatic: z.boolean().default(true),
  is_paused: z.boolean().default(false).meta({ description: 'Nothing is sent before it is resumed: rules can be made first.' }),
});
export type NewDestination = z.output<typeof newDestination>;

export const destinationChange = z
  .object({
    is_paused: z.boolean(),
    automatic: z.boolean(),
    url: url.meta({ description: 'Drops the key unless one is given with it: a key is for one address.' }),
    app_id: appId,
    key: newKey,
    policy: redactionPolicy,
  })
  .partial();
export type DestinationChange = z.output<typeof destinationChange>;
