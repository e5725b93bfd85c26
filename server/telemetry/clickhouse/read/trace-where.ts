/** Conditions of a trace list on rows of `trace`. */
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import type { Window } from '../../search-reader.ts';
import { statuses, termKey } from '../../sqlite/file/codes.ts';
import { hourOf } from '../stored-rows.ts';
import { all, integer, raw, type Sql, sql, text, texts } from './sql.ts';

const dayUs = 24 * 3600 * 1e6;

export type TraceConditions = Partial<Omit<TracesNarrowing, 'filter'>> & {
  filter?: Filter | undefined;
  window?: Window;
  /** Order of arrival of the last trace that counts, and of the one before the first. */
  arrivedUntil?: number | undefined;
  arrivedAfter?: number | undefined;
};

/** Rows of an app. */
export const isOfApp = raw('tenant_id = {tenant_id:String} AND app_id = {app_id:String}');

/** Condition on spans, that a condition holds for their traces. The hours select the parts of the table to read. */
export function inTraces(condition: Sql): Sql {
  const ids = sql`(SELECT trace_id FROM trace FINAL WHERE ${isOfApp} AND ${condition})`;
  return sql`hour IN (SELECT arrayJoin(span_hours) FROM place FINAL WHERE ${isOfApp} AND trace_id IN ${ids}) AND trace_id IN ${ids}`;
}

/** Whether a trace has a term whose value satisfies a condition on `term.2`. */
export const hasTerm = (key: string, value: Sql): Sql => sql`arrayExists(term -> term.1 = ${text(key)} AND ${value}, terms)`;

const holdsTerm = (key: string, values: readonly string[]): Sql => hasTerm(key, sql`has(${texts(values)}, term.2)`);

/** All that narrows a list, apart from its filter. */
export function plainConditions(query: TraceConditions): Sql[] {
  const where: Sql[] = [isOfApp];
  if (query.bookkeeping !== 'include') where.push(raw('bookkeeping = 0'));
  if (query.from !== undefined) where.push(...listedFrom(query.from * 1000));
  if (query.to !== undefined) where.push(...listedBefore(query.to * 1000));
  if (query.window) {
    where.push(sql`start_us BETWEEN ${integer(query.window.from * 1000)} AND ${integer(query.window.to * 1000 + 999)}`);
  }
  if (query.start_date) where.push(sql`start_us >= ${integer(Date.parse(query.start_date) * 1000)}`);
  if (query.end_date) where.push(sql`start_us < ${integer(Date.parse(query.end_date) * 1000 + dayUs)}`);
  if (query.arrivedUntil !== undefined) where.push(sql`arrival <= ${integer(query.arrivedUntil)}`);
  if (query.arrivedAfter !== undefined) where.push(sql`arrival > ${integer(query.arrivedAfter)}`);
  if (query.status) where.push(sql`status = ${integer(statuses.indexOf(query.status))}`);
  if (query.name !== undefined) where.push(sql`name = ${text(query.name)}`);
  for (const [key, value] of [
    [termKey.user, query.user_id],
    [termKey.model, query.model],
    [termKey.session, query.session_id],
    [termKey.datasetRun, query.dataset_run_id],
    [termKey.commit, query.commit_sha],
    [termKey.environment, query.environment],
  ] as const) {
    if (value !== undefined) where.push(holdsTerm(key, [value]));
  }
  if (query.tag) where.push(holdsTerm(termKey.tag, query.tag));
  return where;
}

/** Condition on spans that those of all traces of a list satisfy, by hour. */
export function hoursOfSpans({ from, to, window }: TraceConditions): Sql {
  const listed: Sql[] = [];
  if (from !== undefined) listed.push(sql`listed_us >= ${integer(from * 1000)}`);
  if (to !== undefined) listed.push(sql`listed_us < ${integer(to * 1000)}`);
  const hours = sql`SELECT DISTINCT arrayJoin(span_hours) FROM place FINAL WHERE ${all([isOfApp, ...listed])}`;
  return all([
    ...(listed.length > 0 ? [sql`hour IN (${hours})`] : []),
    // A span does not begin before its trace.
    ...(window ? [sql`(hour = 0 OR hour >= ${integer(hourOf(window.from * 1000))})`] : []),
  ]);
}

/** The hours select the parts of the table to read. */
export const listedFrom = (us: number): Sql[] => [sql`listed_us >= ${integer(us)}`, sql`(hour = 0 OR hour >= ${integer(hourOf(us))})`];

function listedBefore(us: number): Sql[] {
  const hour = hourOf(us);
  return [sql`listed_us < ${integer(us)}`, ...(hour === 0 ? [] : [sql`hour <= ${integer(hour)}`])];
}
