/**
 * One trace for whoever has a link to it. The token of the link is in a header, because addresses are written to logs. Its answers are built from
 * a list of what may go out (server/modules/tracing/share-links/shared-fields.ts).
 */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { idList } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { spanPreview, traceOutline } from './trace-outline.ts';

export const shareLinkHides = z
  .object({
    contents: z.boolean().meta({ description: 'Inputs, outputs, arguments and results of tools, and messages of errors.' }),
    attributes: z.boolean().meta({ description: 'All attributes but a list of standard ones, metadata, and tags.' }),
    costs: z.boolean().meta({ description: 'Costs of spans and of the trace.' }),
  })
  .meta({ id: 'ShareLinkHides', description: 'What readers of a link do not get. All attributes are shown only where nothing is hidden.' });
export type ShareLinkHides = z.output<typeof shareLinkHides>;

/** Request header with the token of the link. */
export const shareTokenHeader = 'x-share-token';

const sharedTrace = z.object({
  tenant_name: z.string(),
  expires_at: z.iso.datetime(),
  hides: shareLinkHides,
  trace: traceOutline,
});

const sharedAttribute = z.object({ key: z.string(), value: z.looseObject({}).meta({ description: 'As OTLP/JSON.' }) });

const sharedSpan = z.object({
  input: z.string().nullable(),
  output: z.string().nullable(),
  output_object: z.string().nullable(),
  tool_calls: z.string().nullable(),
  attributes: z.array(sharedAttribute),
  contents_too_large: z.boolean().meta({ description: 'The contents are too large to be shared as a whole, and are null.' }),
  attributes_too_large: z.boolean().meta({ description: 'The attributes are too large to be shared, and are left out.' }),
});
export type SharedSpan = z.output<typeof sharedSpan>;

/** `internal`, because only the page of a link calls them. */
const declare = {
  method: 'GET',
  tag: 'traces',
  only: 'cloud',
  app: 'none',
  permission: 'public',
  rate: 'share',
  internal: true,
  touches: ['control', 'telemetry'],
} as const;

export const sharedTraceRoutes = {
  readTrace: route({
    ...declare,
    id: 'get-shared-trace',
    path: '/v1/shared-trace',
    summary: 'Read the figures of a shared trace, by the token of its link',
    reply: one(sharedTrace),
    errors: ['share_link_not_found'],
  }),
  readPreviews: route({
    ...declare,
    id: 'get-shared-span-previews',
    path: '/v1/shared-trace/spans',
    summary: 'Read the named spans of a shared trace, with the beginnings of their contents; unknown and too large ones are left out',
    query: z.object({ ids: idList(100, 'span') }),
    reply: all(spanPreview),
    errors: ['share_link_not_found'],
  }),
  readSpan: route({
    ...declare,
    id: 'get-shared-span',
    path: '/v1/shared-trace/span',
    summary: 'Read one span of a shared trace, with its contents and attributes',
    query: z.object({ id: z.string().min(1) }),
    reply: one(sharedSpan),
    errors: ['share_link_not_found', 'span_not_found'],
  }),
};
