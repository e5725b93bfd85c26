import { z } from 'zod';
import { filterLimits, kindRules, operators } from '../../filter/fields.ts';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

const kind = z.enum(Object.keys(kindRules) as (keyof typeof kindRules)[]);
const names = z.array(z.enum(operators));

const resource = z
  .object({
    fields: z.array(z.object({ name: z.string(), kind, operators: names })),
    dynamic_fields: z.array(z.object({ pattern: z.string(), key_pattern: z.string(), kind, operators: names })),
    limits: z.object({ max_predicates: z.literal(filterLimits.predicates), max_in_values: z.literal(filterLimits.listValues) }),
  })
  .meta({ id: 'FilterResource', description: 'What one kind of record can be filtered on, with the operators.' });

export const filterSchema = {
  get: route({
    id: 'get-filter-schema',
    method: 'GET',
    path: '/v1/filter-schema',
    summary: 'Read the fields, operators and limits of filters',
    tag: 'filters',
    permission: 'trace.read',
    reply: one(z.object({ resources: z.object({ traces: resource, spans: resource, scores: resource }) })),
    errors: [],
  }),
};
