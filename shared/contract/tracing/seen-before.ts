/** Whether other runs had the failure of a run, and what was different in those that went well. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';
import { separatingFact } from './compared-groups.ts';
import { comparedRun } from './comparison.ts';
import { semanticKinds } from './semantic-kinds.ts';

const ids = z.array(z.string());

const seen = z
  .object({
    error: z
      .object({
        span_id: z.string(),
        kind: z.enum(semanticKinds),
        name: z.string().meta({ description: 'The tool or model, otherwise the span.' }),
        message: z.string().meta({ description: 'First line of the message, without what varies, as in error groups.' }),
      })
      .nullable()
      .meta({ description: 'The failure that was sought: the one that most spans of the trace have. Null when none failed.' }),
    failed: ids.meta({ description: 'Other traces with the same failure that failed: the newest 50.' }),
    failed_count: z.int(),
    recovered: ids.meta({ description: 'Traces with the same failure that did not fail: the newest 50.' }),
    recovered_count: z.int(),
    good: ids.meta({ description: 'Traces of the same name without errors, where there are none that failed and others that recovered.' }),
    facts: z.array(separatingFact).meta({
      description:
        'What separates best, at most 3. `a` are this trace and the newest that went as it did. For one that failed `b` are those that recovered; without any, good ones.',
    }),
    compared: z
      .object({
        a: ids,
        b: ids,
        is_whole: z.boolean().meta({ description: 'Whether all their steps were compared; otherwise the first of each trace.' }),
      })
      .meta({ description: 'The traces that the facts are about: `a` and `b` of each fact are indices in these lists.' }),
    nearest: z
      .array(z.object({ run: comparedRun, likeness: z.number().meta({ description: 'Share of the facts of both that they share.' }) }))
      .meta({ description: 'The traces of both groups that are most like this one, at most 3.' }),
    is_whole: z.boolean().meta({ description: 'Whether all traces were looked at; otherwise the newest.' }),
  })
  .meta({ id: 'SeenBefore' });
export type SeenBefore = z.output<typeof seen>;

export const seenBefore = {
  find: route({
    id: 'viewer-seen-before',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/seen-before',
    summary: 'Find other traces with the failure of a trace, and what was different in those that went well',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    params: z.object({ traceId: z.string().min(1) }),
    reply: one(seen),
    errors: ['trace_not_found'],
  }),
};
