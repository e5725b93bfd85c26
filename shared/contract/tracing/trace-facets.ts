/** The most frequent values of the newest traces of a list, by field. */
import { z } from 'zod';

/** Fields of filters, in the order in which they are shown. `error` has the types of errors. */
export const facetNames = [
  'error',
  'tool',
  'agent',
  'model',
  'service',
  'environment',
  'user_id',
  'session_id',
  'status',
  'tags',
  'prompt_name',
  'semantic_kind',
] as const;
export type FacetName = (typeof facetNames)[number];

export const traceFacets = z
  .object({
    looked_at: z.int().meta({ description: 'How many traces were counted: the newest that match.' }),
    is_whole: z.boolean().meta({ description: 'Whether these are all that match.' }),
    errors: z
      .object({
        any: z.int().meta({ description: 'With at least one failed span.' }),
        failed: z.int().meta({ description: 'That failed.' }),
        inside: z.int().meta({ description: 'That did not fail, with spans that failed.' }),
      })
      .meta({ description: 'Counted traces in which something failed. Additive.' }),
    facets: z.array(
      z.object({
        name: z.enum(facetNames),
        values: z.array(z.object({ value: z.string(), count: z.int() })),
        more: z.int().meta({ description: 'How many more values there are.' }),
      }),
    ),
  })
  .meta({ id: 'TraceFacets' });
export type TraceFacets = z.output<typeof traceFacets>;
