/** Linking this machine to a cloud: a code that somebody agrees to there. Of gateways on one's own machine only. */
import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { destinationName } from './destination.ts';

const link = z
  .object({
    id: z.uuid(),
    is: z.enum(['waiting', 'linked', 'denied', 'expired', 'failed']),
    user_code: z.string().meta({ description: 'To be compared with the one that the cloud shows.' }),
    verification_url: z.string().meta({ description: 'The page where somebody agrees.' }),
    expires_at: z.iso.datetime(),
    destination: destinationName.nullable().meta({ description: 'What became of it, once it is linked.' }),
    problem: z.string().meta({ description: 'Why it was not, in words.' }),
  })
  .meta({ id: 'ForwardingLink', description: 'No answer says the key.' });
export type ForwardingLink = z.output<typeof link>;

const newLink = z.object({
  url: text.min(1, 'must not be empty').max(2048, 'must not be longer than 2048 characters'),
  with_all: z.boolean().default(false).meta({ description: 'Also what is here already.' }),
  automatic: z.boolean().default(true).meta({ description: 'False: only traces that are forwarded by hand.' }),
  is_paused: z.boolean().default(false).meta({ description: 'Nothing is sent before it is resumed: rules can be made first.' }),
});
export type NewLink = z.output<typeof newLink>;

const declare = { tag: 'forwarding', only: 'local', permission: 'trace.write' } as const;
const path = '/v1/viewer/forwarding-links';
const ofOne = { path: `${path}/:linkId`, params: z.object({ linkId: z.uuid() }), errors: ['link_not_found'] } as const;

export const forwardingLinks = {
  start: route({
    ...declare,
    id: 'start-forwarding-link',
    method: 'POST',
    path,
    summary: 'Ask a cloud to link this machine. It becomes a destination once somebody has agreed there',
    body: newLink,
    reply: one(link),
    status: [201],
    errors: [],
  }),
  get: route({
    ...declare,
    ...ofOne,
    id: 'get-forwarding-link',
    method: 'GET',
    summary: 'Say how a link stands',
    reply: one(link),
  }),
  cancel: route({
    ...declare,
    ...ofOne,
    id: 'cancel-forwarding-link',
    method: 'DELETE',
    summary: 'Ask no more',
    reply: nothing,
    status: [204],
  }),
};
