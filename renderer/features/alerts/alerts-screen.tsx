import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { GatewayError } from '../../../shared/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { exactly, when } from '../../model/time/time.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { AlertForm } from './alert-form.tsx';
import { type Alert, useAlerts } from './alerts-query.ts';
import { readAlertsUrl } from './url.ts';
import { attentionInWords, recipientsInWords, ruleInWords, statusLabels } from './words.ts';

const route = getRouteApi('/alerts');

const states = [
  { id: 'all', label: 'All' },
  { id: 'triggered', label: 'Triggered' },
  { id: 'resolved', label: 'Resolved' },
] as const;

const isNotInPlan = (error: unknown) => error instanceof GatewayError && error.code === 'entitlement_required';

/** Alerts of the app with their status. */
export function AlertsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const alerts = useAlerts(view);
  const mayCreate = useMay()('alert.write');
  const [isCreating, setCreating] = useState(false);
  const open = ({ id: alertId }: { id: string }) => void navigate({ to: '/alerts/$alertId', params: { alertId } });
  const show = (status: (typeof states)[number]['id']) =>
    void navigate({ to: '/alerts', search: readAlertsUrl({ status: status === 'all' ? undefined : status }) });
  if (isNotInPlan(alerts.error))
    return (
      <EmptyState title="Alerts are not part of the plan">
        The operator of this gateway decides what each plan includes. <Link to="/settings/usage">Usage</Link> shows what yours includes.
      </EmptyState>
    );
  const newAlert = mayCreate && <Button onClick={() => setCreating(true)}>New alert</Button>;
  return (
    <>
      <title>Alerts · Glasshouse</title>
      <ScreenHeader title="Alerts">
        <Segmented label="Status" options={states} value={view.status ?? 'all'} onChange={show} />
        <span className="ml-auto flex items-center gap-3">
          <Link to="/settings/destinations" className="text-accent text-row hover:underline">
            Destinations
          </Link>
          {newAlert}
        </span>
      </ScreenHeader>
      {alerts.isError && !alerts.data ? (
        <FailedState failure={asFailure(alerts.error, 'The alerts could not be loaded')} onRetry={() => void alerts.refetch()} />
      ) : (
        <DataList label="Alerts" columns={columns} rows={alerts.data ?? []} onOpen={open} listKey={view.status ?? ''}>
          {!alerts.data ? (
            <SkeletonRows label="Loading alerts" />
          ) : view.status ? (
            <EmptyState title="No alerts match" action={<Button onClick={() => show('all')}>Show all alerts</Button>}>
              There may be alerts with another status.
            </EmptyState>
          ) : (
            <EmptyState title="No alerts yet" action={newAlert}>
              An alert checks the errors, latency, cost or scores of the app every minute. When a threshold is crossed, it notifies a
              webhook or Slack.
            </EmptyState>
          )}
        </DataList>
      )}
      {isCreating && <AlertForm alert={null} onClose={() => setCreating(false)} onSaved={open} />}
    </>
  );
}

const columns: Column<Alert>[] = [
  {
    id: 'state',
    head: 'Status',
    width: 'var(--width-word)',
    cell: ({ status }) => (
      <Pill tone={status === 'triggered' ? 'err' : 'plain'}>
        {status === 'triggered' && <Dot />}
        {statusLabels[status]}
      </Pill>
    ),
  },
  {
    id: 'name',
    head: 'Alert',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) => (
      <Link
        to="/alerts/$alertId"
        params={{ alertId: id }}
        title={name}
        className="block truncate text-fg text-row after:absolute after:inset-0"
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'rule',
    head: 'Condition',
    width: 'minmax(0, 2fr)',
    cell: (alert) => (
      <Text as="div" cut tone="quiet" title={ruleInWords(alert)}>
        {ruleInWords(alert)}
      </Text>
    ),
  },
  {
    id: 'attention',
    head: 'Attention',
    width: 'var(--width-name)',
    cell: (alert) => (
      <Text as="div" cut tone="dim" title={attentionInWords(alert)}>
        {attentionInWords(alert)}
      </Text>
    ),
  },
  {
    id: 'notifies',
    head: 'Notifies',
    width: 'var(--width-when)',
    wideOnly: true,
    cell: (alert) => <Text tone="dim">{recipientsInWords(alert)}</Text>,
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at: at }) => <Quantity value={at && when(at)} title={at ? exactly(at) : undefined} />,
  },
];
