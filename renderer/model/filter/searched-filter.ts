/**
 * A search as it runs. The filter language refuses a field that does not exist (docs/reference/filters.md); the search field takes such a
 * condition for words, and says so.
 */
import { dynamicFields, findField, type Resource } from '../../../shared/filter/fields.ts';
import { Scanner } from '../../../shared/filter/scanner.ts';
import { symbolOperators, wordOperators } from '../../../shared/filter/spelling.ts';
import { type FilterProblem, problemOf, spellWords } from './filter-text.ts';

export interface UnknownField {
  field: string;
  /** What is searched for instead: the condition as it was written. */
  words: string;
  /** The search with the field that was probably meant; null when none is near. */
  fix: FilterProblem['fix'];
}

export interface SearchedFilter {
  /** A filter that can be sent, unless there is a problem. */
  filter: string;
  unknown: readonly UnknownField[];
  /** Its position is that in the text. */
  problem: FilterProblem | null;
}

export function searchedFilter(text: string, resource: Resource = 'traces'): SearchedFilter {
  const unknown: UnknownField[] = [];
  // `filter` is `done`, which is valid, and then the rest of the text.
  for (let done = '', rest = text; ; ) {
    const filter = done + rest;
    const problem = problemOf(filter, resource);
    const at = text.length - rest.length;
    const start = (problem?.position ?? 0) - done.length;
    if (!problem?.field || start < 0 || !isUnknown(problem.field)) {
      return { filter, unknown, problem: problem && { ...problem, position: Math.min(text.length, at + Math.max(0, start)) } };
    }
    const end = start + conditionLength(rest.slice(start), problem.field);
    const words = rest.slice(start, end);
    const { field, fix } = problem;
    const fixed = fix && text.slice(0, at + start) + fix.field + text.slice(at + start + field.length);
    unknown.push({ field, words, fix: fix && fixed !== null ? { field: fix.field, text: fixed } : null });
    done += rest.slice(0, start) + spellWords(words);
    rest = rest.slice(end);
  }
}

/** Spans lack some fields of traces: those are not misspelt. Names with a prefix are keys, whose rule the problem explains. */
const isUnknown = (field: string): boolean =>
  findField('traces', field) === null && !dynamicFields.traces.some(({ prefix }) => field.startsWith(prefix));

/** Length of the condition with which a text begins: `field:value`, `field = value`, `field in (a, b)`. */
function conditionLength(text: string, field: string): number {
  const scan = new Scanner(text);
  const word = scan.word();
  if (word.length > field.length) {
    scan.back(word.length - field.length - 1);
    return takeValue(scan);
  }
  scan.skipBlank();
  const symbol = symbolOperators.find(([spelled]) => scan.take(spelled));
  const operator = symbol ?? wordOperators.find(([words]) => scan.takeWords(words));
  switch (operator?.[1]) {
    case 'exists':
    case 'doesNotExist':
      return scan.at;
    case 'in':
    case 'notIn':
      return takeList(scan);
    case 'between':
      takeValue(scan);
      scan.skipBlank();
      return scan.takeWord('and') ? takeValue(scan) : scan.at;
    default:
      return takeValue(scan);
  }
}

/** @returns the position after it */
function takeValue(scan: Scanner): number {
  const { at } = scan;
  scan.skipBlank();
  const isQuoted = scan.char === '"' || scan.char === "'";
  const value = isQuoted ? scan.quoted() : scan.bare();
  if (!value) scan.back(scan.at - at);
  return scan.at;
}

function takeList(scan: Scanner): number {
  scan.skipBlank();
  for (let symbol = '('; scan.take(symbol); symbol = ',') {
    takeValue(scan);
    scan.skipBlank();
  }
  scan.take(')');
  return scan.at;
}
