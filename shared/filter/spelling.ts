import type { Operator } from './fields.ts';

/** The string form's operators (docs/reference/filters.md#operators). */
export const symbolOperators: readonly (readonly [string, Operator])[] = [
  // Longer ones first, so that `>=` is never read as `>` with a value that starts with `=`.
  ['!=', 'notEquals'],
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['=', 'equals'],
  ['>', 'gt'],
  ['<', 'lt'],
];

export const wordOperators: readonly (readonly [readonly string[], Operator])[] = [
  [['contains'], 'contains'],
  [['not', 'contains'], 'notContains'],
  [['starts', 'with'], 'startsWith'],
  [['ends', 'with'], 'endsWith'],
  [['exists'], 'exists'],
  [['does', 'not', 'exist'], 'doesNotExist'],
  [['in'], 'in'],
  [['not', 'in'], 'notIn'],
  [['between'], 'between'],
];

/** Operators of other query languages that are no words of a sentence, so that they are not searched for. */
export const foreignOperators: ReadonlySet<string> = new Set([
  '~',
  '=~',
  'like',
  'ilike',
  'eq',
  'ne',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'ge',
  'le',
  'nin',
  'isnull',
]);

/** Operators of other query languages, with their equivalents here. */
export const operatorSynonyms: Readonly<Record<string, Operator>> = {
  ...{ '=': 'equals', '==': 'equals', '===': 'equals', eq: 'equals', is: 'equals', ':': 'equals' },
  ...{ '!=': 'notEquals', '<>': 'notEquals', '!==': 'notEquals', ne: 'notEquals', neq: 'notEquals', not: 'notEquals' },
  ...{ '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', ge: 'gte', le: 'lte', greaterthan: 'gt', lessthan: 'lt' },
  ...{ like: 'contains', ilike: 'contains', includes: 'contains', has: 'contains', '~': 'contains', '=~': 'contains' },
  ...{ prefix: 'startsWith', suffix: 'endsWith', any: 'in', oneof: 'in', nin: 'notIn', isnull: 'doesNotExist' },
};

/** The spelling of an operator in messages about this form. */
export function spellOperator(operator: Operator, form: 'text' | 'json'): string {
  if (form === 'json') return operator;
  const symbol = symbolOperators.find(([, candidate]) => candidate === operator)?.[0];
  return symbol ?? wordOperators.find(([, candidate]) => candidate === operator)?.[0].join(' ') ?? operator;
}
