/** Edits a filter text clause by clause, for facets, chips and advice. */
import { FilterError } from '../../../shared/filter/filter-error.ts';
import type { Clause, Filter, Predicate } from '../../../shared/filter/filter-tree.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { spellOperator } from '../../../shared/filter/spelling.ts';

/** Problem of a filter with its position, 0-based in UTF-16 code units. */
export interface FilterProblem {
  message: string;
  position: number;
}

/** Null for a valid or blank filter. */
export function problemOf(text: string): FilterProblem | null {
  if (text.trim() === '') return null;
  try {
    parseFilterText('traces', text);
    return null;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { message: error.message, position: Math.min(error.position ?? 0, text.length) };
  }
}

function parsed(text: string): Filter {
  return text.trim() === '' || problemOf(text) ? { clauses: [] } : parseFilterText('traces', text);
}

/** Bare where the grammar lets it, otherwise in quotes. */
export function spellValue(value: string | number): string {
  const text = String(value);
  const isBare = /^[^\s()"',=!<>\\][^\s()"',\\]*$/.test(text) && !/^(and|or|not)$/i.test(text);
  return isBare ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

const spellPredicate = ({ field, operator, values }: Predicate) =>
  [field, spellOperator(operator, 'text'), ...values.map(spellValue)].join(' ');

export const spellClause = (clause: Clause) =>
  clause.length === 1 ? spellPredicate(clause[0] as Predicate) : `(${clause.map(spellPredicate).join(' or ')})`;

const spell = (clauses: readonly Clause[]) => clauses.map(spellClause).join(' and ');

/** The conditions of a filter, each in its own words. */
export const clausesOf = (text: string): string[] => parsed(text).clauses.map(spellClause);

export function withoutClause(text: string, at: number): string {
  return spell(parsed(text).clauses.filter((_, i) => i !== at));
}

const isAbout = (clause: Clause, field: string) => clause.every((each) => each.field === field && each.operator === 'equals');

/** Values that clauses of their own require the field to equal. */
export function valuesAsked(text: string, field: string): string[] {
  return parsed(text)
    .clauses.filter((clause) => isAbout(clause, field))
    .flatMap((clause) => clause.flatMap(({ values }) => values.map(String)));
}

/** Asks for one more value of a field, or for one less. */
export function toggled(text: string, field: string, value: string): string {
  const { clauses } = parsed(text);
  const asked = valuesAsked(text, field);
  const wanted = asked.includes(value) ? asked.filter((each) => each !== value) : [...asked, value];
  const others = clauses.filter((clause) => !isAbout(clause, field));
  const own = wanted.map((each) => `${field} = ${spellValue(each)}`);
  const clause = own.length > 1 ? [`(${own.join(' or ')})`] : own;
  return [...others.map(spellClause), ...clause].join(' and ');
}

/** Appends a condition. */
export const narrowedBy = (text: string, condition: string) => [...clausesOf(text), condition].join(' and ');
