/** Linking this machine to a cloud: a person approves its code there. Local gateways only. */
import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { destinationName } from './destination.ts';

const link = z
  .object({
    id: z.uuid(),
    is: z.enum(['waiting', 'linked', 'denied', 'expired', 'failed']),
    user_code: z.string().meta({ description: 'To compare with the code that the cloud shows.' }),
    verification_url: z.string().meta({ description: 'The page where it is approved.' }),
    expires_at: z.iso.datetime(),
    destination: destinationName.nullable().meta({ description: 'The destination that was created, once it is linked.' }),
    problem: z.string().meta({ description: 'Why it could not be linked.' }),
  })
  .meta({ id: 'ForwardingLink', description: 'No answer contains the key.' });
export type ForwardingLink = z.output<typeof link>;

const newLink = z.object({
  url: text.min(1, 'must not be empty').max(2048, 'must not be longer than 2048 characters'),
  with_all: z.boolean().default(false).meta({ description: 'Also forward what is already stored.' }),
  automatic: z.boolean().default(true).meta({ description: 'False: only traces that are forwarded by hand.' }),
  is_paused: z
    .boolean()
    .default(false)
    .meta({ description: 'Nothing is sent before it is resumed, so that redaction rules can be set first.' }),
});
export type NewLink = z.output<typeof newLink>;

const declare = { tag: 'forwarding', only: 'local', permission: 'trace.write' } as const;
const path = '/v1/viewer/forwarding-links';
const byId = { path: `${path}/:linkId`, params: z.object({ linkId: z.uuid() }), errors: ['link_not_found'] } as const;

export const forwardingLinks = {
  start: route({
    ...declare,
    id: 'start-forwarding-link',
    method: 'POST',
    path,
    summary: 'Ask a cloud to link this machine. It becomes a destination once a person approves it there',
    body: newLink,
    reply: one(link),
    status: [201],
    errors: [],
  }),
  get: route({
    ...declare,
    ...byId,
    id: 'get-forwarding-link',
    method: 'GET',
    summary: 'Read the state of a link',
    reply: one(link),
  }),
  cancel: route({
    ...declare,
    ...byId,
    id: 'cancel-forwarding-link',
    method: 'DELETE',
    summary: 'Cancel a link request',
    reply: nothing,
    status: [204],
  }),
};
