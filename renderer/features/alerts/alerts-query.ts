import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply, RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { channelsKey } from './channels-query.ts';
import type { AlertsView } from './url.ts';

type Routes = Contract['alerts'];
export type Alert = Reply<Routes['list']>['data'][number];
export type AlertDraft = RouteInput<Routes['create']>['body'];
export type AlertChange = Reply<Routes['history']>['data'][number];
export type Delivery = Reply<Contract['alertDestinations']['deliveries']>['data'][number];

const shownMax = 1000;
/** The gateway evaluates alerts every minute. */
const refetchMs = 15_000;
const live = { staleTime: 0, refetchInterval: refetchMs } as const;

export const useAlerts = ({ status, owner }: AlertsView) =>
  useQuery({
    queryKey: ['alerts', 'list', status, owner],
    queryFn: async () => {
      const query = { limit: shownMax, ...(status && { status }), ...(owner && { owner_id: owner }) };
      return (await gateway.alerts.list({ query })).data;
    },
    ...live,
  });

export const useAlert = (alertId: string) =>
  useQuery({ queryKey: ['alerts', alertId], queryFn: async () => (await gateway.alerts.get({ params: { alertId } })).data, ...live });

export const useHistory = (alertId: string) =>
  useQuery({
    queryKey: ['alerts', alertId, 'history'],
    queryFn: async () => (await gateway.alerts.history({ params: { alertId }, query: { limit: shownMax } })).data,
    ...live,
  });

export interface Deliveries {
  /** By status change, oldest first. */
  byChange: ReadonlyMap<string, readonly Delivery[]>;
  /** Nothing is known of changes that are not later; null when everything is. */
  knownAfter: string | null;
}

/** Notification results. */
export const useDeliveries = (alertId: string) =>
  useQuery({
    queryKey: ['alerts', alertId, 'deliveries'],
    queryFn: async (): Promise<Deliveries> => {
      const { data, pagination } = await gateway.alertDestinations.deliveries({ params: { alertId }, query: { limit: shownMax } });
      const byChange = Map.groupBy(data.toReversed(), ({ history_id }) => history_id);
      return { byChange, knownAfter: pagination.total > data.length ? (data.at(-1)?.created_at ?? null) : null };
    },
    ...live,
  });

/** Creates an alert, or replaces an existing one. */
export function useSaveAlert(alertId: string | null) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (body: AlertDraft) =>
      (await (alertId === null ? gateway.alerts.create({ body }) : gateway.alerts.replace({ params: { alertId }, body }))).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
    // A channel that it names may have been deleted.
    onError: () => queries.invalidateQueries({ queryKey: channelsKey }),
  });
}

export function useRemoveAlert() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (alertId: string) => gateway.alerts.remove({ params: { alertId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts', 'list'] }),
  });
}

export const useEnvironments = () =>
  useQuery({
    queryKey: ['environments', 'names'],
    queryFn: async () => (await gateway.environments.list({ query: { limit: shownMax } })).data,
    staleTime: 0,
  });
