/**
 * Rows of the list, fetched page by page as they become visible. While the user reads, the list is pinned to its newest trace: later pages
 * use the same cursor, rows update in place, and new traces are only counted.
 */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedTrace, ListedTraces } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { isRefusedRequest } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { updateRows } from '../../model/filter/updated-rows.ts';
import { currentSort, listKeyOf, narrowingOf, type TracesView } from './url.ts';

export const pageSize = 100;

const always = () => true;

export interface LoadedTraces {
  total: number;
  /** There are at least `total` traces. */
  hasMore: boolean;
  /** Hidden bookkeeping traces in the same range. */
  hiddenCount: number;
  /** How long the request for the first page took. */
  tookMs: number;
  /** Undefined until its page has loaded. */
  rowAt: (index: number) => ListedTrace | undefined;
  /** Loaded rows. */
  loaded: readonly ListedTrace[];
}

export function useTraceRows(view: TracesView, isEnabled: boolean) {
  const key = listKeyOf(view);
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const [shown, setShown] = useState(0);
  const pin = usePin(key);
  const numbers = pagesIn(visible);
  const listKey = useMemo(() => ['traces', 'rows', key], [key]);
  const pages = useQueries({
    queries: numbers.map((page) => ({
      queryKey: [...listKey, page],
      enabled: isEnabled,
      queryFn: () => pin.fetch((arrived) => fetchRows(view, { limit: pageSize, offset: page * pageSize, arrived })),
      structuralSharing: (before: unknown, after: unknown) => inPlace(before, after, pin.isPinned()),
    })),
  });
  useFollow(listKey, always);
  const queries = useQueryClient();
  const refresh = useCallback(() => void queries.refetchQueries({ queryKey: listKey, type: 'active' }), [queries, listKey]);
  const { rows, isOther } = useStableRows(
    key,
    asRows(
      numbers,
      pages.map(({ data }) => data),
    ),
  );
  const latest = useLatestTotal(view, key, isEnabled && pin.isReading);
  const isCounted = pin.isReading && !isOther && rows !== null && latest !== null;

  const { setReading: setPinReading, release } = pin;
  const setReading = useCallback((next: boolean) => setPinReading(next) && refresh(), [setPinReading, refresh]);
  const showNew = useCallback(() => {
    release();
    setShown((before) => before + 1);
    refresh();
  }, [release, refresh]);

  return {
    /** Null until the first response. The rows of the previous list stay while another one loads. */
    rows,
    isOther,
    newCount: isCounted ? Math.max(0, latest - rows.total) : 0,
    error: pages.find(({ isError }) => isError)?.error ?? null,
    retry: refresh,
    listKey: `${key} ${shown}`,
    setReading,
    /** Loaded rows that are on screen, or nearly. */
    visible: useMemo(() => rowsIn(rows, visible), [rows, visible]),
    setVisible,
    showNew,
  };
}

/** Cursor that the list is pinned to: the newest trace when the user started reading. */
function usePin(key: string) {
  const [isReading, setIsReading] = useState(false);
  const now = useRef({ isReading: false, arrived: null as string | null, latest: null as string | null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is pinned to its own first response
  useEffect(() => {
    Object.assign(now.current, { arrived: null, latest: null });
  }, [key]);
  return useMemo(
    () => ({
      isReading,
      isPinned: () => now.current.arrived !== null,
      async fetch(rows: (arrived: string | null) => Promise<TimedTraces>): Promise<TimedTraces> {
        const cursor = now.current.arrived;
        const page = await rows(cursor).catch((error: unknown) => {
          // A gateway that was started with other data does not know the cursor.
          if (cursor === null || !isRefusedRequest(error)) throw error;
          Object.assign(now.current, { arrived: null });
          return rows(null);
        });
        // The user returned meanwhile, so the response may include newer traces.
        if (now.current.arrived !== cursor && now.current.arrived !== null) return rows(now.current.arrived);
        now.current.latest = cursor ?? page.arrived;
        if (now.current.isReading) now.current.arrived ??= page.arrived;
        return page;
      },
      /** @returns whether the new traces may be shown now */
      setReading(next: boolean): boolean {
        const wasPinned = now.current.arrived !== null;
        Object.assign(now.current, { isReading: next, arrived: next ? now.current.latest : null });
        setIsReading(next);
        return wasPinned && !next;
      },
      release: () => void Object.assign(now.current, { arrived: null }),
    }),
    [isReading],
  );
}

/** Returns the same object while the rows are equal, and the previous list until the first response. */
function useStableRows(key: string, rows: LoadedTraces | null): { rows: LoadedTraces | null; isOther: boolean } {
  const [stable, setStable] = useState<{ key: string; rows: LoadedTraces } | null>(null);
  const isUnchanged = rows !== null && stable?.key === key && isSame(stable.rows, rows);
  if (rows && !isUnchanged) setStable({ key, rows });
  return { rows: isUnchanged ? stable.rows : (rows ?? stable?.rows ?? null), isOther: rows === null && stable?.key !== key };
}

type TimedTraces = ListedTraces & Pick<LoadedTraces, 'tookMs'>;

interface PageQuery {
  limit: number;
  offset: number;
  arrived: string | null;
}

async function fetchRows(view: TracesView, { arrived, ...page }: PageQuery): Promise<TimedTraces> {
  const query = { ...narrowingOf(view, Date.now()), ...currentSort(view), ...page, ...(arrived === null ? {} : { arrived }) };
  const began = performance.now();
  const { data } = await gateway.traceList.rows({ query });
  return { ...data, tookMs: performance.now() - began };
}

/** Current number of matching traces while the list is pinned. */
function useLatestTotal(view: TracesView, key: string, isEnabled: boolean): number | null {
  const queryKey = useMemo(() => ['traces', 'latest', key], [key]);
  useFollow(queryKey, always);
  const { data } = useQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: async () => {
      const { total, total_is_lower_bound } = await fetchRows(view, { limit: 1, offset: 0, arrived: null });
      return total_is_lower_bound ? null : total;
    },
  });
  return isEnabled ? (data ?? null) : null;
}

const rowsIn = (rows: LoadedTraces | null, { first, last }: { first: number; last: number }): ListedTrace[] =>
  rows === null ? [] : Array.from({ length: last - first + 1 }, (_, at) => rows.rowAt(first + at)).filter((row) => row !== undefined);

function inPlace(before: unknown, after: unknown, isPinned: boolean): unknown {
  if (!isPinned || !before) return after;
  const [old, next] = [before as ListedTraces, after as ListedTraces];
  return old.rows.length === next.rows.length ? { ...next, rows: updateRows(old.rows, next.rows) } : next;
}

const isSame = (a: LoadedTraces | undefined, b: LoadedTraces) =>
  a !== undefined &&
  a.total === b.total &&
  a.hasMore === b.hasMore &&
  a.hiddenCount === b.hiddenCount &&
  a.loaded.length === b.loaded.length &&
  a.loaded.every((row, i) => row === b.loaded[i]);

/** Pages with visible rows, and always the first page, which has the total. */
function pagesIn({ first, last }: { first: number; last: number }): number[] {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(last / pageSize);
  const pages = [0];
  for (let page = Math.max(1, from); page <= to; page++) pages.push(page);
  return pages;
}

function asRows(numbers: readonly number[], pages: readonly (TimedTraces | undefined)[]): LoadedTraces | null {
  const [first] = pages;
  if (!first) return null;
  const byNumber = new Map(numbers.map((number, i) => [number, pages[i]?.rows]));
  return {
    total: first.total,
    hasMore: first.total_is_lower_bound === true,
    hiddenCount: first.bookkeeping_hidden,
    tookMs: first.tookMs,
    rowAt: (index) => byNumber.get(Math.floor(index / pageSize))?.[index % pageSize],
    loaded: pages.flatMap((page) => page?.rows ?? []),
  };
}
