/** A group of runs against another: what separates them. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { filterParameter } from '../core/filter-parameter.ts';
import { idList, limit } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { comparedRun } from './comparison.ts';
import { factKinds, groupMax } from './comparison-terms.ts';
import { semanticKinds } from './semantic-kinds.ts';
import { tracesInRange } from './trace-list.ts';

const shownBy = z
  .array(z.object({ run: z.int().meta({ description: 'Index in `runs` of the group.' }), span_id: z.string() }))
  .meta({ description: 'The runs that have it, each with the first span that shows it.' });

export const separatingFact = z
  .object({
    kind: z.enum(factKinds),
    step_kind: z.enum(semanticKinds),
    name: z.string().meta({ description: 'The tool, agent or other step; empty for model calls.' }),
    agent: z.string().meta({ description: 'The agent that took the step; empty if none is known.' }),
    field: z.string().meta({
      description: 'Path of the argument, result or setting; the offered tool; the prompt; for `order` the step that came before.',
    }),
    value: z.string().meta({ description: 'In at most 80 characters; for `error` the message without what varies.' }),
    a: shownBy,
    b: shownBy,
    separation: z.number().meta({ description: 'Difference of the shares of both groups that have it, from 0 to 1.' }),
  })
  .meta({ id: 'SeparatingFact', description: 'Something that runs of one group have more often than those of the other.' });
export type SeparatingFact = z.output<typeof separatingFact>;

const runGroup = z.object({
  runs: z.array(comparedRun),
  has_more: z.boolean().meta({ description: 'Whether more traces match; the newest were compared.' }),
});

const comparedGroups = z
  .object({
    a: runGroup,
    b: runGroup,
    facts: z.array(separatingFact).meta({ description: 'The one that separates the groups best first.' }),
    compared: z.int().meta({ description: 'How many facts were compared.' }),
    is_whole: z.boolean().meta({ description: 'Whether all steps were compared; otherwise the first of each run.' }),
  })
  .meta({ id: 'ComparedGroups' });
export type ComparedGroups = z.output<typeof comparedGroups>;

const ids = idList(groupMax, 'trace').optional();

const query = tracesInRange
  .omit({ filter: true })
  .extend({
    a: filterParameter('traces'),
    b: filterParameter('traces'),
    a_ids: ids,
    b_ids: ids,
    limit: limit(20, groupMax),
  })
  .refine(({ a, a_ids }) => a !== undefined || a_ids !== undefined, { error: 'a or a_ids is required', path: ['a'] })
  .refine(({ a, a_ids }) => a === undefined || a_ids === undefined, { error: 'cannot be combined with a', path: ['a_ids'] })
  .refine(({ b, b_ids }) => b === undefined || b_ids === undefined, { error: 'cannot be combined with b', path: ['b_ids'] });
export type ComparedGroupsQuery = z.output<typeof query>;

export const groupComparisons = {
  find: route({
    id: 'viewer-compare-groups',
    method: 'GET',
    path: '/v1/viewer/compare/groups',
    summary: 'Compare a group of traces with another, and find what separates them',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    query,
    reply: one(comparedGroups),
    errors: ['invalid_filter'],
  }),
};
