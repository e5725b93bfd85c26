/** Edits the text of a filter clause by clause, for facets, chips and suggestions. */
import { contentFields, type Resource } from '../../../shared/filter/fields.ts';
import { FilterError } from '../../../shared/filter/filter-error.ts';
import { type Clause, type Filter, isPredicate, type Predicate } from '../../../shared/filter/filter-tree.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { spellOperator } from '../../../shared/filter/spelling.ts';

/** Problem of a filter with its position, 0-based in UTF-16 code units. */
export interface FilterProblem {
  message: string;
  position: number;
  /** The field that it is about, as it was written; '' for other problems. */
  field: string;
  /** The filter with the field that was probably meant; null when none is near. */
  fix: { field: string; text: string } | null;
}

/** Null for a valid or blank filter. */
export function problemOf(text: string, resource: Resource = 'traces'): FilterProblem | null {
  if (text.trim() === '') return null;
  try {
    parseFilterText(resource, text);
    return null;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const { message, position = 0, field = '', suggestion } = error;
    const fixed = (name: string) => text.slice(0, position) + name + text.slice(position + field.length);
    const fix = suggestion === undefined ? null : { field: suggestion, text: fixed(suggestion) };
    return { message, position: Math.min(position, text.length), field, fix };
  }
}

function parseOrEmpty(text: string): Filter {
  return text.trim() === '' || problemOf(text) ? { clauses: [] } : parseFilterText('traces', text);
}

/** Writes a value without quotes where the grammar allows it, otherwise in quotes. */
export function spellValue(value: string | number): string {
  const text = String(value);
  const isBare = /^[^\s()"',=!<>\\][^\s()"',\\]*$/.test(text) && !/^(and|or|not)$/i.test(text);
  return isBare ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function spellPredicate({ kind, field, operator, values }: Predicate): string {
  if (kind === 'words' && operator === 'contains') return values.map(spellWords).join(' ');
  const start = `${field} ${spellOperator(operator, 'text')}`;
  const spelled = values.map(spellValue);
  if (operator === 'in' || operator === 'notIn') return `${start} (${spelled.join(', ')})`;
  return spelled.length === 0 ? start : `${start} ${spelled.join(' and ')}`;
}

/** Searched words: one without quotes if nothing in it means something else. */
export function spellWords(words: string): string {
  const isBare = /^[\p{L}\p{N}_$#][\p{L}\p{N}_.$#-]*$/u.test(words) && !/^(and|or|not)$/i.test(words);
  return isBare ? words : `"${words.replace(/[\\"]/g, '\\$&')}"`;
}

const spellMember = (member: Clause[number]): string => (isPredicate(member) ? spellPredicate(member) : `(${spell(member.clauses)})`);

export const spellClause = (clause: Clause): string =>
  clause.length === 1 ? spellMember(clause[0] as Clause[number]) : `(${clause.map(spellMember).join(' or ')})`;

const spell = (clauses: readonly Clause[]): string => clauses.map(spellClause).join(' and ');

/** The clauses of a filter as texts. */
export const clausesOf = (text: string): string[] => parseOrEmpty(text).clauses.map(spellClause);

export function withoutClause(text: string, at: number): string {
  return spell(parseOrEmpty(text).clauses.filter((_, i) => i !== at));
}

const requiresEqual = (clause: Clause, field: string): clause is readonly Predicate[] =>
  clause.every((member) => isPredicate(member) && member.field === field && member.operator === 'equals');

/** Values that the filter requires the field to equal, in clauses about this field only. */
export function requiredValues(text: string, field: string): string[] {
  return parseOrEmpty(text).clauses.flatMap((clause) =>
    requiresEqual(clause, field) ? clause.flatMap(({ values }) => values.map(String)) : [],
  );
}

/** Adds a value of a field to the filter, or removes it. */
export function toggleValue(text: string, field: string, value: string): string {
  const selected = requiredValues(text, field);
  const remaining = selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value];
  const conditions = remaining.map((other) => `${field} = ${spellValue(other)}`);
  const clause = conditions.length > 1 ? [`(${conditions.join(' or ')})`] : conditions;
  return [withoutValues(text, field), ...clause].filter(Boolean).join(' and ');
}

/** The filter without what it requires the field to equal. */
export const withoutValues = (text: string, field: string): string =>
  spell(parseOrEmpty(text).clauses.filter((clause) => !requiresEqual(clause, field)));

/** Whether the filter asks for words, or for a text that spans have. */
export const seeksTexts = (text: string): boolean => parseOrEmpty(text).clauses.some(clauseSeeksTexts);

const clauseSeeksTexts = (clause: Clause): boolean =>
  clause.some((member) => (isPredicate(member) ? isAboutTexts(member) : member.clauses.some(clauseSeeksTexts)));

const isAboutTexts = ({ kind, field }: Predicate): boolean =>
  kind === 'words' || (kind === 'string' && (contentFields as readonly string[]).includes(field));

/** The condition that a field has one of the values. */
export const anyOf = (field: string, values: readonly string[]): string => `${field} in (${values.map(spellValue).join(', ')})`;

/** Appends a clause. */
export const addClause = (text: string, clause: string) => [...clausesOf(text), clause].join(' and ');
