/**
 * Rows of the list, fetched page by page when visible. The list is pinned to its newest trace while the reader is on it: later pages use the
 * same cursor, rows update in place, and new traces are only counted.
 */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedTrace, ListedTraces } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { updateRows } from '../../model/filter/updated-rows.ts';
import { currentSort, listKeyOf, narrowingOf, type TracesView } from './url.ts';

export const pageSize = 100;

const always = () => true;

export interface TraceRows {
  total: number;
  /** Number of hidden bookkeeping traces in the same range. */
  folded: number;
  /** Undefined until its page is there. */
  rowAt: (index: number) => ListedTrace | undefined;
  /** Loaded rows. */
  loaded: readonly ListedTrace[];
}

export function useTraceRows(view: TracesView, isAsked: boolean) {
  const key = listKeyOf(view);
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const [shown, setShown] = useState(0);
  const hold = useHold(key);
  const numbers = pagesIn(sight);
  const listKey = useMemo(() => ['traces', 'rows', key], [key]);
  const pages = useQueries({
    queries: numbers.map((page) => ({
      queryKey: [...listKey, page],
      enabled: isAsked,
      queryFn: () => hold.ask((arrived) => askRows(view, { limit: pageSize, offset: page * pageSize, arrived })),
      structuralSharing: (before: unknown, after: unknown) => inPlace(before, after, hold.isHeld()),
    })),
  });
  useFollow(listKey, always);
  const queries = useQueryClient();
  const refresh = useCallback(() => void queries.refetchQueries({ queryKey: listKey, type: 'active' }), [queries, listKey]);
  const { rows, isOther } = useKept(
    key,
    asRows(
      numbers,
      pages.map(({ data }) => data),
    ),
  );
  const latest = useLatestTotal(view, key, isAsked && hold.isAttended);
  const isCounted = hold.isAttended && !isOther && rows !== null && latest !== null;

  const { attend: setAttended, release } = hold;
  const attend = useCallback((next: boolean) => setAttended(next) && refresh(), [setAttended, refresh]);
  const showWaiting = useCallback(() => {
    release();
    setShown((before) => before + 1);
    refresh();
  }, [release, refresh]);

  return {
    /** Null until the first answer. The rows of the previous list stay while another one loads. */
    rows,
    isOther,
    waiting: isCounted ? Math.max(0, latest - rows.total) : 0,
    error: pages.find(({ isError }) => isError)?.error ?? null,
    retry: refresh,
    listKey: `${key} ${shown}`,
    attend,
    setSight,
    showWaiting,
  };
}

/** Cursor that the list is pinned to: the newest trace at the moment the user started reading. */
function useHold(key: string) {
  const [isAttended, setIsAttended] = useState(false);
  const now = useRef({ isAttended: false, arrived: null as number | null, seen: null as number | null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is held as of its own first answer
  useEffect(() => {
    Object.assign(now.current, { arrived: null, seen: null });
  }, [key]);
  return useMemo(
    () => ({
      isAttended,
      isHeld: () => now.current.arrived !== null,
      async ask(rows: (arrived: number | null) => Promise<ListedTraces>): Promise<ListedTraces> {
        const asked = now.current.arrived;
        const answer = await rows(asked);
        // The reader returned meanwhile: the answer may include newer traces.
        if (now.current.arrived !== asked && now.current.arrived !== null) return rows(now.current.arrived);
        now.current.seen = asked ?? answer.arrived;
        if (now.current.isAttended) now.current.arrived ??= answer.arrived;
        return answer;
      },
      /** @returns whether the waiting traces may be shown now */
      attend(next: boolean): boolean {
        const wasHeld = now.current.arrived !== null;
        Object.assign(now.current, { isAttended: next, arrived: next ? now.current.seen : null });
        setIsAttended(next);
        return wasHeld && !next;
      },
      release: () => void Object.assign(now.current, { arrived: null }),
    }),
    [isAttended],
  );
}

/** The same object while the rows are the same; the previous list until there is an answer. */
function useKept(key: string, rows: TraceRows | null): { rows: TraceRows | null; isOther: boolean } {
  const [kept, setKept] = useState<{ key: string; rows: TraceRows } | null>(null);
  const isKept = rows !== null && kept?.key === key && isSame(kept.rows, rows);
  if (rows && !isKept) setKept({ key, rows });
  return { rows: isKept ? kept.rows : (rows ?? kept?.rows ?? null), isOther: rows === null && kept?.key !== key };
}

interface Asked {
  limit: number;
  offset: number;
  arrived: number | null;
}

async function askRows(view: TracesView, { arrived, ...page }: Asked): Promise<ListedTraces> {
  const query = { ...narrowingOf(view, Date.now()), ...currentSort(view), ...page, ...(arrived === null ? {} : { arrived }) };
  return (await gateway.traceList.rows({ query })).data;
}

/** Current number of matches while the list is pinned. */
function useLatestTotal(view: TracesView, key: string, isAsked: boolean): number | null {
  const queryKey = useMemo(() => ['traces', 'latest', key], [key]);
  useFollow(queryKey, always);
  const { data } = useQuery({
    queryKey,
    enabled: isAsked,
    queryFn: async () => (await askRows(view, { limit: 1, offset: 0, arrived: null })).total,
  });
  return isAsked ? (data ?? null) : null;
}

function inPlace(before: unknown, after: unknown, isHeld: boolean): unknown {
  if (!isHeld || !before) return after;
  const [old, next] = [before as ListedTraces, after as ListedTraces];
  return old.rows.length === next.rows.length ? { ...next, rows: updateRows(old.rows, next.rows) } : next;
}

const isSame = (a: TraceRows | undefined, b: TraceRows) =>
  a !== undefined &&
  a.total === b.total &&
  a.folded === b.folded &&
  a.loaded.length === b.loaded.length &&
  a.loaded.every((row, i) => row === b.loaded[i]);

/** Pages with visible rows, and always the first, which has the total. */
function pagesIn({ first, last }: { first: number; last: number }): number[] {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(last / pageSize);
  const found = [0];
  for (let page = Math.max(1, from); page <= to; page++) found.push(page);
  return found;
}

function asRows(numbers: readonly number[], pages: readonly (ListedTraces | undefined)[]): TraceRows | null {
  const [first] = pages;
  if (!first) return null;
  const byNumber = new Map(numbers.map((number, i) => [number, pages[i]?.rows]));
  return {
    total: first.total,
    folded: first.bookkeeping_hidden,
    rowAt: (index) => byNumber.get(Math.floor(index / pageSize))?.[index % pageSize],
    loaded: pages.flatMap((page) => page?.rows ?? []),
  };
}
