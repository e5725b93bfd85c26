/** Links by which anybody reads one trace, without an account, until they expire or are revoked. Additive, for teams. */
import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { sharedTraceRoutes, shareLinkHides } from './shared-trace.ts';

export const shareLinkDays = [1, 7, 30, 90] as const;

const shareLink = z
  .object({
    id: z.uuid(),
    trace_id: z.string(),
    hides: shareLinkHides,
    created_by: z.string(),
    author_name: z.string().nullable(),
    state: z.enum(['works', 'expired', 'revoked', 'forbidden']).meta({
      description: '`forbidden` when the tenant forbids links, or when its author may not make links any more. Its trace may be gone.',
    }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    openings: z.int().meta({ description: 'How often its page was opened. Openings within a minute count once.' }),
    last_opened_at: z.iso.datetime().nullable().meta({ description: 'When its page was last opened.' }),
  })
  .meta({ id: 'ShareLink', description: 'A link by which anybody reads one trace.' });
export type ShareLink = z.output<typeof shareLink>;

const days = z
  .union(shareLinkDays.map((count) => z.literal(count)))
  .default(7)
  .meta({ description: 'Days until the link stops.' });
const draft = z.object({ trace_id: text.min(1), expires_in_days: days, hides: shareLinkHides });
const settings = z.object({ allowed: z.boolean().meta({ description: 'Whether members may make links, and whether links work.' }) });

const path = '/v1/share-links';
const declare = { tag: 'traces', only: 'cloud', touches: ['control'] } as const;

export const shareLinks = {
  create: route({
    ...declare,
    id: 'create-share-link',
    method: 'POST',
    path,
    summary: 'Make a link to a trace for people without an account; only this answer has its address',
    permission: 'share_link.write',
    credential: 'session',
    touches: ['control', 'telemetry'],
    body: draft,
    reply: one(shareLink.extend({ url: z.string().meta({ description: 'Whoever has it can read the trace. It is not stored.' }) })),
    status: [201],
    errors: ['trace_not_found', 'share_links_not_allowed', 'payload_too_large'],
  }),
  list: route({
    ...declare,
    id: 'list-share-links',
    method: 'GET',
    path,
    summary: 'List links to traces of the app, first those that have not ended, and newest first; ended ones stay for 30 days',
    permission: 'trace.read',
    query: z.object({ ...paging, trace_id: text.optional() }),
    reply: many(shareLink),
    errors: [],
  }),
  revoke: route({
    ...declare,
    id: 'revoke-share-link',
    method: 'DELETE',
    path: `${path}/:linkId`,
    summary: 'Revoke a link, which stops at once',
    permission: 'share_link.write',
    credential: 'session',
    params: z.object({ linkId: z.uuid().meta({ description: 'Id of a link.' }) }),
    reply: nothing,
    status: [204],
    errors: ['share_link_not_found'],
  }),
  settings: route({
    ...declare,
    id: 'get-share-link-settings',
    method: 'GET',
    path: `${path}/settings`,
    summary: 'Whether the tenant allows links to traces',
    permission: 'trace.read',
    app: 'none',
    reply: one(settings),
    errors: [],
  }),
  changeSettings: route({
    ...declare,
    id: 'change-share-link-settings',
    method: 'PUT',
    path: `${path}/settings`,
    summary: 'Allow links to traces, or forbid them, which stops all links of the tenant at once',
    permission: 'app.write',
    credential: 'session',
    app: 'none',
    body: settings,
    reply: one(settings),
    errors: [],
  }),
  ...sharedTraceRoutes,
};
