/**
 * Which traces may have the words of a search: those that were sent with them, in any case, and those of which the normaliser makes other words
 * than were sent (sqlite/signatures/decisive.ts).
 */
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { closingColumns, selectivity, splitFilter, wordsOfContents } from '../../sqlite/read/content-clauses.ts';
import type { QueryWord } from '../../sqlite/signatures/query-words.ts';
import { mayBeRewrittenSql } from '../blobs/rewritten-words.ts';
import { all, any, isIn, raw, type Sql, sql, text } from './sql.ts';
import { isOfApp } from './trace-where.ts';

/** Lists of words: what the filter selects was sent with all words of one of them. */
export type NeededWords = readonly (readonly string[])[];

/** Words of which nothing that was sent is another spelling, as long as it is not rewritten: no numbers, and ASCII only. */
const isPlain = ({ bytes }: QueryWord): boolean => /^\w{4,}$/.test(bytes.toString()) && !/^[\deE]+$/.test(bytes.toString());

/** The words of the clause that narrows most; null if none does. */
export function neededWordsOf(filter: Filter): NeededWords | null {
  const clauses = splitFilter(filter).content?.clauses ?? [];
  const lists = clauses.flatMap((clause) => {
    const words = closingColumns(clause).length > 0 ? null : wordsOfContents(clause);
    const plain = words?.map((list) => list.filter(isPlain)) ?? [];
    return plain.length === 0 || plain.some((list) => list.length === 0) ? [] : [plain];
  });
  const [best] = lists.sort((a, b) => selectivity(b) - selectivity(a));
  return best?.map((list) => list.map(({ bytes }) => bytes.toString())) ?? null;
}

/** Ids of the traces among some that may have the words, as a query. */
export function tracesWithWords(traceIds: readonly string[], needed: NeededWords): Sql {
  const isAmong = isIn('trace_id', traceIds);
  const words = [...new Set(needed.flat())];
  const found = (columns: readonly string[], ofBlobs: readonly string[] = [], mayHaveOthers = '0') => {
    const has = (word: string) =>
      any([...columns, ...ofBlobs].map((column) => sql`positionCaseInsensitive(${raw(column)}, ${text(word)}) > 0`));
    return sql`[${listOf(words.map(has))}] AS found, (${raw([...columns.map(mayBeRewrittenSql), mayHaveOthers].join(' OR '))}) AS rewritten`;
  };
  const isPossible = any(needed.map((list) => all(list.map((word) => raw(`maxForEach(found)[${words.indexOf(word) + 1}] > 0`)))));
  // Log records of a conversation may belong to any of its traces.
  const logs = (columns: string) => sql`
    SELECT trace_id, ${raw(columns)} FROM log FINAL WHERE ${isOfApp} AND ${isAmong}
    UNION ALL
    SELECT places.trace_id AS trace_id, ${raw(columns)}
    FROM (SELECT trace_id, arrayJoin(conversations) AS conversation FROM place FINAL WHERE ${isOfApp} AND ${isAmong}) AS places
    INNER JOIN (SELECT conversation, record, resource, texts FROM log FINAL WHERE ${isOfApp} AND conversation IN (
      SELECT arrayJoin(conversations) FROM place FINAL WHERE ${isOfApp} AND ${isAmong}
    )) AS logs ON logs.conversation = places.conversation`;
  const uses = sql`
    SELECT trace_id, arrayJoin(texts) AS hash FROM record FINAL WHERE ${isOfApp} AND ${isAmong}
    UNION DISTINCT SELECT trace_id, arrayJoin(texts) AS hash FROM (${logs('texts')})`;
  return sql`
    SELECT trace_id FROM (
      SELECT trace_id, ${found(['record', 'resource', 'instrumentation'])} FROM record FINAL WHERE ${isOfApp} AND ${isAmong}
      UNION ALL SELECT trace_id, ${found(['record', 'resource'])} FROM (${logs('record, resource')})
      UNION ALL SELECT uses.trace_id AS trace_id, found, rewritten FROM (${uses}) AS uses
        INNER JOIN (SELECT hash, ${found(['text'], ['words'], 'may_have_others')} FROM text WHERE ${isOfApp} AND hash IN (SELECT hash FROM (${uses}))) AS long
        ON long.hash = uses.hash
    ) GROUP BY trace_id HAVING ${isPossible} OR max(rewritten) > 0`;
}

function listOf(items: readonly Sql[]): Sql {
  return { strings: ['', ...Array.from({ length: items.length - 1 }, () => ', '), ''], parts: items };
}
