/** The forwarding status of a trace at each destination. */
import { z } from 'zod';
import { text } from '../core/parameters.ts';
import { destinationName } from './destination.ts';

const traceIdsMax = 500;

export const traceForwarding = z
  .object({
    trace_id: z.string(),
    destinations: z.array(
      z.object({
        name: destinationName,
        is: z.enum(['local', 'queued', 'sent', 'refused', 'dead_letter']).meta({
          description: 'The first that applies: dead_letter, queued, refused, sent; `local` when it is not forwarded there.',
        }),
        waiting: z.int(),
        dead_letters: z.int(),
        refused: z.int().meta({ description: 'An upper bound: refusals are counted for a whole batch.' }),
        reason: z.string().meta({ description: 'Why spans became dead letters or were refused.' }),
        sent_at: z.iso.datetime().nullable().meta({ description: 'When the last of it was accepted.' }),
      }),
    ),
  })
  .meta({ id: 'TraceForwarding' });
export type TraceForwarding = z.output<typeof traceForwarding>;

export const traceIds = z.object({ trace_ids: z.array(text.min(1, 'must not be empty').max(128)).min(1).max(traceIdsMax) });
