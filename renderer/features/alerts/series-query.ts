import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reply, RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';

type Routes = Contract['alertSeries'];
export type AlertSeries = Reply<Routes['series']>['data'];
export type AlertRule = RouteInput<Routes['preview']>['body'];

/** The gateway evaluates alerts every minute. */
const refetchMs = 60_000;

/** Values of an alert. A change of its condition changes them. */
export const useSeries = (alertId: string, hours: number, condition: string) =>
  useQuery({
    queryKey: ['alerts', alertId, 'series', hours, condition],
    queryFn: async () => (await gateway.alertSeries.series({ params: { alertId }, query: { hours } })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: refetchMs,
  });

/** @param rule as JSON; null for one that is not complete */
export const usePreview = (rule: string | null) =>
  useQuery({
    queryKey: ['alerts', 'preview', rule],
    queryFn: async () => (await gateway.alertSeries.preview({ body: JSON.parse(String(rule)) as AlertRule })).data,
    enabled: rule !== null,
    retry: false,
  });
