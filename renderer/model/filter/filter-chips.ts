/** The conditions of a filter, each from its field to its value, to tell them from the words that are searched. */
import { FilterError } from '../../../shared/filter/filter-error.ts';
import { isPredicate, type Predicate, splitNegation } from '../../../shared/filter/filter-tree.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { type FilterToken, tokensOf } from './filter-place.ts';

export interface FilterChip {
  from: number;
  to: number;
  tokens: FilterToken[];
  /** It selects failures, and does not exclude them. */
  isAboutErrors: boolean;
}

/** Conditions in the order of the text, as far as it can be parsed. Parentheses, `and` and `or` between them are in none. */
export function chipsOf(text: string): FilterChip[] {
  const chips: FilterChip[] = [];
  const tokens = tokensOf(text);
  for (const [at, token] of tokens.entries()) {
    const chip = chips.at(-1);
    if (token.is === 'field') chips.push({ ...token, tokens: [token], isAboutErrors: false });
    else if (chip && continues(text, chip, tokens, at)) Object.assign(chip, { to: token.to, tokens: [...chip.tokens, token] });
  }
  return chips.map((chip) => ({ ...chip, isAboutErrors: selectsErrors(text.slice(chip.from, chip.to)) }));
}

/** A word belongs to a condition inside a list, and between two values. */
function continues(text: string, chip: FilterChip, tokens: readonly FilterToken[], at: number): boolean {
  const token = tokens[at] as FilterToken;
  if (token.is !== 'word') return true;
  const has = (word: string) => chip.tokens.some(({ is, from, to }) => is === 'word' && text.slice(from, to) === word);
  const isList = chip.tokens.some(({ is, from, to }) => is === 'operator' && /\bin$/i.test(text.slice(from, to).trimEnd()));
  return (isList && !has(')')) || tokens[at + 1]?.is === 'value';
}

/** An incomplete condition selects nothing yet. */
function selectsErrors(condition: string): boolean {
  try {
    return parseFilterText('traces', condition)
      .clauses.flat()
      .some((member) => isPredicate(member) && asksForErrors(member));
  } catch (error) {
    if (error instanceof FilterError) return false;
    throw error;
  }
}

function asksForErrors(predicate: Predicate): boolean {
  const { kind, field, operator, values } = predicate;
  if (kind === 'status') return values.includes('ERROR');
  if (field === 'error') return !splitNegation(predicate).negated;
  if (kind !== 'numeric' || (field !== 'errors' && field !== 'errors_inside')) return false;
  const isZero = values.every((value) => value === 0);
  switch (operator) {
    case 'lt':
    case 'lte':
      return false;
    case 'notEquals':
    case 'notIn':
      return isZero;
    case 'gte':
      return !isZero;
    case 'gt':
      return true;
    default:
      return !values.includes(0);
  }
}
