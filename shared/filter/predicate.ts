/**
 * The meaning of one predicate, checked for both forms: the field, its operators, and values of its kind
 * (docs/reference/filters.md#operators).
 */
import { dateTime } from '../contract/core/parameters.ts';
import { didYouMean, nearestWord } from '../words/nearest-word.ts';
import {
  durationFields,
  filterLimits,
  findField,
  type Kind,
  type KnownField,
  kindRules,
  type Operator,
  type Resource,
  staticFields,
} from './fields.ts';
import { FilterError, quoted } from './filter-error.ts';
import type { Predicate } from './filter-tree.ts';
import { readDuration, readNumber } from './read-number.ts';
import { spellOperator } from './spelling.ts';

/** Positions of the parts of a predicate in the text; none in the JSON form. */
export interface Positions {
  field?: number;
  operator?: number;
  value?: number;
}

/** A predicate as it was written. */
export interface WrittenPredicate {
  resource: Resource;
  /** Decides the spelling of operators in messages. */
  form: 'text' | 'json';
  field: string;
  positions: Positions;
}

/** @throws FilterError unless the resource has that field and the field that operator */
export function checkOperator({ resource, form, field, positions }: WrittenPredicate, operator: Operator): KnownField {
  const known = checkField({ resource, form, field, positions });
  const allowed: readonly Operator[] = kindRules[known.kind];
  if (allowed.includes(operator)) return known;
  const list = allowed.map((candidate) => spellOperator(candidate, form)).join(', ');
  throw new FilterError(`${quoted(field)} does not take ${spellOperator(operator, form)}. Use one of: ${list}`, {
    position: positions.operator,
    field,
    operator,
  });
}

/** @throws FilterError unless the resource has that field */
export function checkField({ resource, form, field, positions }: WrittenPredicate): KnownField {
  const known = findField(resource, field);
  if (known) return known;
  const suggestion = nearestField(resource, field);
  const guess = suggestion === null ? '.' : `, did you mean ${suggestion}?`;
  const hint = form === 'text' ? '; text in quotes is searched for' : '';
  throw new FilterError(`Unknown field ${quoted(field)} of ${resource}${guess} GET /v1/filter-schema lists the fields${hint}`, {
    position: positions.field,
    field: field.slice(0, filterLimits.fieldLength),
    suggestion: suggestion ?? undefined,
  });
}

/** The field that was probably meant; null when none is near. */
export const nearestField = (resource: Resource, field: string): string | null => nearestWord(field, Object.keys(staticFields[resource]));

const nonEmpty: readonly Operator[] = ['contains', 'notContains', 'startsWith', 'endsWith'];

/**
 * Builds a predicate from its written values: texts in the string form, texts and numbers in the JSON form.
 * @throws FilterError
 */
export function buildPredicate(written: WrittenPredicate, operator: Operator, values: readonly (string | number)[]): Predicate {
  const { kind, key, field: own } = checkOperator(written, operator);
  const { field, positions } = written;
  const refuse = (message: string): never => {
    throw new FilterError(message, { position: positions.value, field, operator });
  };
  for (const value of values) {
    if (typeof value !== 'string') continue;
    if (value.length > filterLimits.valueLength)
      refuse(`The value of ${quoted(field)} is longer than ${filterLimits.valueLength} characters`);
    if (!value.isWellFormed()) refuse(`The value of ${quoted(field)} contains an unpaired surrogate`);
    if (value === '' && nonEmpty.includes(operator)) refuse(`${spellOperator(operator, written.form)} needs a value that is not empty`);
  }
  const parsed = readers[durationFields.includes(own) ? 'duration' : kind](values, field, refuse);
  if (operator === 'between' && (parsed[0] as number) > (parsed[1] as number)) refuse('The lower bound of between is above the upper one');
  // The kind decides which member of the union this is; `findField` and `checkOperator` have checked the rest.
  return { kind, field: own, ...(key === '' ? {} : { key }), operator, values: parsed } as unknown as Predicate;
}

type ValueReader = (values: readonly (string | number)[], field: string, refuse: (message: string) => never) => (string | number)[];

const texts: ValueReader = (values) => values.map(String);

const numbers: ValueReader = (values, field, refuse) =>
  values.map((value) => readNumber(value) ?? refuse(`${quoted(field)} needs a number, not ${quoted(String(value))}`));

const statuses = ['OK', 'ERROR'] as const;
const statusSynonyms = { failed: 'ERROR', failure: 'ERROR', success: 'OK', succeeded: 'OK' };

const readers: Record<Kind | 'duration', ValueReader> = {
  string: texts,
  words: texts,
  tags: texts,
  metadata: texts,
  numeric: numbers,
  score: numbers,
  duration: (values, field, refuse) =>
    values.map(
      (value) =>
        readDuration(value) ?? refuse(`${quoted(field)} needs milliseconds, or a number with ms, s, m or h, not ${quoted(String(value))}`),
    ),
  status: (values, _field, refuse) =>
    values.map((value) =>
      value === 'OK' || value === 'ERROR'
        ? value
        : refuse(`status is OK or ERROR, not ${quoted(String(value))}${didYouMean(String(value), statuses, statusSynonyms)}`),
    ),
  datetime: (values, field, refuse) =>
    values.map((value) => {
      const parsed = dateTime.safeParse(value);
      return parsed.success ? Date.parse(parsed.data) : refuse(`${quoted(field)} ${parsed.error.issues[0]?.message}`);
    }),
};
