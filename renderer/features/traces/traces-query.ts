import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { TraceItem } from '../../../shared/contract/traces.ts';
import { gateway } from '../../api/client.ts';
import type { Signal } from '../../api/live.ts';
import { useFollow } from '../../api/queries.ts';
import { holdStill, type Page } from '../../model/held-page.ts';
import { type TracesView, tracesQuery } from './url.ts';

const always = (_: Signal) => true;

/** The list as the gateway has it now. */
export function useTraces(view: TracesView) {
  const query = tracesQuery(view);
  const queryKey = ['traces', query];
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Page<TraceItem>> => {
      const { data, pagination } = await gateway.traces.list({ query });
      return { rows: data, total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });
}

/**
 * The list as the reader sees it: while it is attended (pointer on it, scrolled, a row chosen) rows keep their places and
 * new ones wait; otherwise it is simply the latest.
 */
export function useHeldTraces(latest: Page<TraceItem> | undefined, key: string) {
  const [isAttended, setAttended] = useState(false);
  const [held, setHeld] = useState<{ key: string; page: Page<TraceItem>; shown: number } | null>(null);
  const isOther = held?.key !== key;
  if (latest && held?.page !== latest && (isOther || !isAttended)) setHeld({ key, page: latest, shown: held?.shown ?? 0 });

  const showWaiting = useCallback(() => {
    if (latest) setHeld((before) => ({ key, page: latest, shown: (before?.shown ?? 0) + 1 }));
  }, [latest, key]);
  const { page, waiting } = latest && held && !isOther ? holdStill(held.page, latest) : { page: latest ?? held?.page, waiting: 0 };
  return { page, waiting, showWaiting, setAttended, listKey: `${key} ${held?.shown ?? 0}` };
}
