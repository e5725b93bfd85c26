import type { Operator } from './fields.ts';

/** The string form's operators (docs/reference/filters.md#operators). `in`, `notIn` and `between` are of the JSON form only. */
export const symbolOperators: readonly (readonly [string, Operator])[] = [
  // The longer ones first: `>=` is never `>` and a value that starts with `=`.
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
];

/** What other query languages call operators, by what they are here. */
export const operatorSynonyms: Readonly<Record<string, Operator>> = {
  ...{ '=': 'equals', '==': 'equals', '===': 'equals', eq: 'equals', is: 'equals', ':': 'equals' },
  ...{ '!=': 'notEquals', '<>': 'notEquals', '!==': 'notEquals', ne: 'notEquals', neq: 'notEquals', not: 'notEquals' },
  ...{ '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', ge: 'gte', le: 'lte', greaterthan: 'gt', lessthan: 'lt' },
  ...{ like: 'contains', ilike: 'contains', includes: 'contains', has: 'contains', '~': 'contains', '=~': 'contains' },
  ...{ prefix: 'startsWith', suffix: 'endsWith', any: 'in', oneof: 'in', nin: 'notIn', isnull: 'doesNotExist' },
};

/** How a message names an operator to somebody who writes this form. */
export function spellOperator(operator: Operator, form: 'text' | 'json'): string {
  if (form === 'json') return operator;
  const symbol = symbolOperators.find(([, each]) => each === operator)?.[0];
  return symbol ?? wordOperators.find(([, each]) => each === operator)?.[0].join(' ') ?? operator;
}
