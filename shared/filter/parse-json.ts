/**
 * The JSON form (docs/reference/filters.md#json-form), for POST bodies. The schema refuses what does not have the shape, as an
 * invalid body; what has the shape but no meaning is an invalid filter.
 */
import { z } from 'zod';
import { didYouMean } from '../words/nearest-word.ts';
import { filterLimits, findField, kindRules, type Operator, operators, type Resource, resources } from './fields.ts';
import { FilterError, quoted } from './filter-error.ts';
import type { Filter, Predicate } from './filter-tree.ts';
import { buildPredicate, checkOperator, type WrittenPredicate } from './predicate.ts';
import { operatorSynonyms } from './spelling.ts';

const scalar = z.union([z.string(), z.number()]);

/** Validated together with its field, which decides the allowed operators. */
const operator = z.string().meta({ override: { type: 'string', enum: [...operators] } }) as unknown as z.ZodType<Operator, Operator>;

/** Why it is not an operator at all; whether its field takes it is checked with the filter. */
function operatorProblem(field: string, written: string): string | null {
  if ((operators as readonly string[]).includes(written)) return null;
  const known = resources.map((resource) => findField(resource, field)).find((found) => found !== null);
  const allowed = known ? kindRules[known.kind] : operators;
  const guess = didYouMean(written, allowed, operatorSynonyms);
  return `${quoted(written)} is not an operator${known ? ` of ${quoted(field)}` : ''}${guess || '.'} Use one of: ${allowed.join(', ')}`;
}

const leaf = z
  .strictObject({
    field: z.string().min(1).max(filterLimits.fieldLength),
    operator,
    value: z.union([scalar, z.array(scalar)]).optional(),
  })
  .check(({ value: { field, operator: written }, issues }) => {
    const message = operatorProblem(field, written);
    if (message !== null) issues.push({ code: 'custom', input: written, path: ['operator'], message });
  })
  .meta({ id: 'FilterPredicate', description: 'GET /v1/filter-schema lists fields, their operators and the limits.' });

const group = z
  .strictObject({ or: z.array(leaf).min(1) })
  .meta({ id: 'FilterGroup', description: 'At least one of the predicates must hold. Groups do not nest.' });

/** `filters` of a search body. */
export const filterList = z.array(z.union([leaf, group])).meta({ description: 'All must hold; an empty list matches everything.' });
export type FilterList = z.output<typeof filterList>;
type WrittenLeaf = z.output<typeof leaf>;

/** @throws FilterError */
export function parseFilterList(resource: Resource, list: FilterList): Filter {
  const count = list.reduce((sum, entry) => sum + ('or' in entry ? entry.or.length : 1), 0);
  if (count > filterLimits.predicates) throw new FilterError(`Too many predicates: ${count}, at most ${filterLimits.predicates}`);
  return { clauses: list.map((entry) => ('or' in entry ? entry.or : [entry]).map((predicate) => predicateOf(resource, predicate))) };
}

function predicateOf(resource: Resource, { field, operator, value }: WrittenLeaf): Predicate {
  const written: WrittenPredicate = { resource, form: 'json', field, positions: {} };
  checkOperator(written, operator);
  return buildPredicate(written, operator, valuesOf(field, operator, value));
}

function valuesOf(field: string, operator: Operator, value: WrittenLeaf['value']): (string | number)[] {
  const refuse = (message: string): never => {
    throw new FilterError(message, { field, operator });
  };
  if (operator === 'exists' || operator === 'doesNotExist') return value === undefined ? [] : refuse(`${operator} takes no value`);
  if (value === undefined) return refuse(`${quoted(field)} ${operator} needs a value`);
  const isList = Array.isArray(value);
  if (operator === 'between') return isList && value.length === 2 ? value : refuse('between needs a list of two values');
  if (operator === 'in' || operator === 'notIn') {
    if (!isList || value.length === 0) return refuse(`${operator} needs a list of at least one value`);
    return value.length <= filterLimits.listValues ? value : refuse(`${operator} takes at most ${filterLimits.listValues} values`);
  }
  return isList ? refuse(`${operator} takes one value, not a list`) : [value];
}
