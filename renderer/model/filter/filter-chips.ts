/** The conditions of a filter, each from its field to its value, to tell them from the words that are searched. */
import { type FilterToken, tokensOf } from './filter-place.ts';

export interface FilterChip {
  from: number;
  to: number;
  tokens: FilterToken[];
  /** It selects failures. */
  isAboutErrors: boolean;
}

const errorFields = new Set(['error', 'errors', 'errors_inside']);

/** Conditions in the order of the text, as far as it can be parsed. Parentheses, `and` and `or` between them are in none. */
export function chipsOf(text: string): FilterChip[] {
  const chips: FilterChip[] = [];
  const tokens = tokensOf(text);
  for (const [at, token] of tokens.entries()) {
    const chip = chips.at(-1);
    if (token.is === 'field') chips.push({ ...token, tokens: [token], isAboutErrors: false });
    else if (chip && continues(text, chip, tokens, at)) Object.assign(chip, { to: token.to, tokens: [...chip.tokens, token] });
  }
  return chips.map((chip) => ({ ...chip, isAboutErrors: isAboutErrors(text, chip) }));
}

/** A word belongs to a condition inside a list, and between two values. */
function continues(text: string, { from, to }: FilterChip, tokens: readonly FilterToken[], at: number): boolean {
  const token = tokens[at] as FilterToken;
  if (token.is !== 'word') return true;
  const condition = text.slice(from, to);
  const isInList = /\bin\s*$/i.test(condition) || (condition.includes('(') && !condition.endsWith(')'));
  return isInList || tokens[at + 1]?.is === 'value';
}

function isAboutErrors(text: string, { tokens }: FilterChip): boolean {
  const [field, ...others] = tokens.map(({ from, to }) => text.slice(from, to));
  return errorFields.has(field ?? '') || (field === 'status' && others.at(-1) === 'ERROR');
}
