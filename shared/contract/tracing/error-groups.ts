/** The failures in the traces of a list, those that are the same counted together. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { ordered } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { trendSteps } from './error-group-shape.ts';
import { semanticKinds } from './semantic-kinds.ts';
import { tracesInRange } from './trace-list.ts';

export const errorGroup = z
  .object({
    type: z.string().meta({ description: 'Type of the exception or error; empty if none was reported.' }),
    message: z
      .string()
      .meta({ description: 'First line of the message, with ‹n›, ‹id›, ‹url›, ‹path›, ‹time› and ‹text› for what varies.' }),
    name: z.string().meta({ description: 'The tool or model, otherwise the span.' }),
    kind: z.enum(semanticKinds),
    errors: z.int(),
    traces: z.int(),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime(),
    quiet_ms: z.int().meta({ description: 'The longest time without it, between its first and its last time.' }),
    back_since: z.iso.datetime().meta({ description: 'When it came back after that time.' }),
    trend: z
      .array(z.int())
      .length(trendSteps)
      .meta({ description: 'Errors in equal steps of the requested range; without one, on each of the last 14 days in UTC.' }),
    filter: z.string().meta({ description: 'Filter for traces with it. It MAY match others with much the same message.' }),
  })
  .meta({ id: 'ErrorGroup', description: 'The same failure: the same type, message, and tool, model or span.' });
export type ErrorGroup = z.output<typeof errorGroup>;

const errorGroupList = z
  .object({
    groups: z.array(errorGroup).meta({ description: 'Those with the most errors first.' }),
    more: z.int().meta({ description: 'How many more groups there are.' }),
    errors: z.int().meta({
      description: 'Spans that failed. A span that failed because a span below it did is left out: it is the same failure.',
    }),
    traces: z.int().meta({ description: 'Traces with at least one of them.' }),
    is_whole: z.boolean().meta({ description: 'Whether these are all; otherwise those of the newest traces.' }),
  })
  .meta({ id: 'ErrorGroups' });
export type ErrorGroups = z.output<typeof errorGroupList>;

const query = ordered(tracesInRange);
export type ErrorGroupsQuery = z.output<typeof query>;

export const errorGroups = {
  list: route({
    id: 'viewer-error-groups',
    method: 'GET',
    path: '/v1/viewer/error-groups',
    summary: 'Group the failures in the traces of a list',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    query,
    reply: one(errorGroupList),
    errors: ['invalid_filter'],
  }),
};
