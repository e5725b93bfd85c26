/**
 * Lists that are filtered by contents. What else the list asks for selects rows, newest first; of some traces at a time those that cannot have the
 * words are refused, and a copy of the others is tested. It ends when its time is spent: what was found until then is the result.
 */
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { isPredicate } from '../../../../shared/filter/filter-tree.ts';
import type { Scope } from '../../../platform/scope.ts';
import { StorageError } from '../../storage-error.ts';
import { type CountedTrace, copiesOf } from './copies.ts';
import { type NeededWords, neededWordsOf, tracesWithWords } from './narrowing.ts';
import type { ReadContext } from './read-context.ts';
import { SearchTime } from './search-time.ts';

/** A row that a list may have. */
export interface Candidate {
  trace_id: string;
}

export interface ContentSearch<Row extends Candidate> {
  scope: Scope;
  filter: Filter;
  /** Reads the next rows of the list, newest first, without regard to contents. @param after the last row before them */
  next(after: Row | null, count: number): Promise<Row[]>;
  /** Numbers of spans of traces. */
  sizes(rows: readonly Row[]): Promise<CountedTrace[]>;
  /** Of a copy of traces, tells which rows the whole filter selects. */
  test(traceIds: readonly string[]): Promise<{ holds(row: Row): boolean; isComplete: boolean }>;
  /** Number of rows after which only the total is of interest. */
  wanted: number;
}

export interface FoundRows<Row> {
  /** Newest first. */
  rows: Row[];
  /** Whether they are all. */
  isComplete: boolean;
}

const readAtOnce = [1000, 20_000] as const;
/** Traces of which words are sought by one query. */
const narrowedAtOnce = [100, 4000] as const;
/** A copy has at most so many traces and about as many spans. */
const copiedTraces = 100;
const copiedSpans = 4000;

export async function searchContents<Row extends Candidate>(context: ReadContext, search: ContentSearch<Row>): Promise<FoundRows<Row>> {
  const time = new SearchTime();
  const needed = neededWordsOf(search.filter);
  const tests = new Map<string, { holds(row: Row): boolean }>();
  const found: FoundRows<Row> = { rows: [], isComplete: true };
  let after: Row | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const count = readAtOnce[isFirst ? 0 : 1];
    const rows: Row[] = await search.next(after, count);
    let narrowed: number = narrowedAtOnce[isFirst ? 0 : 1];
    for (let from = 0; from < rows.length; from += narrowed, narrowed = narrowedAtOnce[1]) {
      if (isOver(time, tests)) return { ...found, isComplete: false };
      const part = rows.slice(from, from + narrowed);
      const isWhole = await testRows(context, search, part, needed, { tests, time, found });
      if (!isWhole) return { ...found, isComplete: false };
      if (found.rows.length >= search.wanted) time.fill();
    }
    if (rows.length < count) return found;
    after = rows.at(-1) ?? null;
  }
}

/** So many traces are tested however long it takes, so that a busy machine does not change what a small store answers. */
const testedMin = 200;

const isOver = (time: SearchTime, tests: ReadonlyMap<string, unknown>): boolean => time.isSpent && tests.size >= testedMin;

interface Progress<Row> {
  tests: Map<string, { holds(row: Row): boolean }>;
  time: SearchTime;
  found: FoundRows<Row>;
}

/** Adds the rows that match. @returns whether all were tested */
async function testRows<Row extends Candidate>(
  context: ReadContext,
  { scope, test, sizes }: ContentSearch<Row>,
  rows: readonly Row[],
  needed: NeededWords | null,
  { tests, time, found }: Progress<Row>,
): Promise<boolean> {
  const unknown = new Map(rows.filter(({ trace_id }) => !tests.has(trace_id)).map((row) => [row.trace_id, row]));
  const possible = needed && unknown.size > 0 ? await withWords(context, scope, [...unknown.keys()], needed) : null;
  if (possible) for (const id of unknown.keys()) if (!possible.has(id)) tests.set(id, { holds: () => false });
  const untested = [...unknown.values()].filter(({ trace_id }) => !tests.has(trace_id));
  const isEnd = () => isOver(time, tests);
  for (const copy of copiesOf(untested.length === 0 ? [] : await sizes(untested), copiedSpans, copiedTraces)) {
    if (isEnd()) break;
    const copied = copy.map(({ trace_id }) => trace_id);
    for (const [ids, result] of await testInParts(test, copied, isEnd)) {
      if (!result.isComplete) found.isComplete = false;
      for (const id of ids) tests.set(id, result);
    }
  }
  for (const row of rows) {
    const tested = tests.get(row.trace_id);
    if (!tested) return false;
    if (tested.holds(row)) found.rows.push(row);
  }
  return true;
}

type Test = ContentSearch<Candidate>['test'];

/**
 * A copy that takes too long is made again in halves, as a busy machine is slow as well. A trace that is slow by itself is left out, and when the
 * time of the search is over, so are the others of its part.
 */
async function testInParts(test: Test, ids: string[], isEnd: () => boolean): Promise<[ids: string[], result: Awaited<ReturnType<Test>>][]> {
  try {
    return [[ids, await test(ids)]];
  } catch (error) {
    if (!(error instanceof StorageError && error.errorKind === 'slow')) throw error;
    if (ids.length === 1 || isEnd()) return [[ids, { holds: () => false, isComplete: false }]];
    const half = ids.length >> 1;
    return [...(await testInParts(test, ids.slice(0, half), isEnd)), ...(await testInParts(test, ids.slice(half), isEnd))];
  }
}

async function withWords(context: ReadContext, scope: Scope, traceIds: readonly string[], needed: NeededWords): Promise<Set<string>> {
  const rows = await context.find<{ trace_id: string }>(scope, tracesWithWords(traceIds, needed));
  return new Set(rows.map(({ trace_id }) => trace_id));
}

/** Whether a filter asks for scores, which a copy then needs. */
export const asksForScores = ({ clauses }: Filter): boolean =>
  clauses.some((clause) => clause.some((member) => (isPredicate(member) ? member.kind === 'score' : asksForScores(member))));
