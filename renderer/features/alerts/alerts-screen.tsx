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
import { ruleInWords, toldInWords } from './words.ts';

const route = getRouteApi('/settings/alerts');

const states = [
  { id: 'all', label: 'All' },
  { id: 'triggered', label: 'Triggered' },
  { id: 'resolved', label: 'Resolved' },
] as const;

const isNotInPlan = (error: unknown) => error instanceof GatewayError && error.code === 'entitlement_required';

/** The alerts of the app, and which of them speak now. */
export function AlertsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const alerts = useAlerts(view);
  const mayMake = useMay()('alert.write');
  const [isMaking, setMaking] = useState(false);
  const open = ({ id: alertId }: { id: string }) => void navigate({ to: '/settings/alerts/$alertId', params: { alertId } });
  const show = (status: (typeof states)[number]['id']) =>
    void navigate({ to: '/settings/alerts', search: readAlertsUrl({ status: status === 'all' ? undefined : status }) });
  if (isNotInPlan(alerts.error))
    return (
      <EmptyState title="Alerts are not part of the plan">
        Whoever runs this gateway says what each plan includes. <Link to="/settings/usage">Usage</Link> shows what yours does.
      </EmptyState>
    );
  const make = mayMake && <Button onClick={() => setMaking(true)}>New alert</Button>;
  return (
    <>
      <title>Alerts · Glasshouse</title>
      <ScreenHeader title="Alerts">
        <Segmented label="State" options={states} value={view.status ?? 'all'} onChange={show} />
        <span className="ml-auto">{make}</span>
      </ScreenHeader>
      {alerts.isError && !alerts.data ? (
        <FailedState failure={asFailure(alerts.error, 'The alerts could not be listed')} onRetry={() => void alerts.refetch()} />
      ) : (
        <DataList label="Alerts" columns={columns} rows={alerts.data ?? []} onOpen={open} listKey={view.status ?? ''}>
          {!alerts.data ? (
            <SkeletonRows label="Loading alerts" />
          ) : view.status ? (
            <EmptyState title="None in this state" action={<Button onClick={() => show('all')}>Show all alerts</Button>} />
          ) : (
            <EmptyState title="No alert yet" action={make}>
              An alert looks each minute at the errors, latency, cost or scores of the app, and tells a webhook or Slack when they cross a
              line.
            </EmptyState>
          )}
        </DataList>
      )}
      {isMaking && <AlertForm alert={null} onClose={() => setMaking(false)} onSaved={open} />}
    </>
  );
}

const columns: Column<Alert>[] = [
  {
    id: 'state',
    head: 'state',
    width: 'var(--width-word)',
    cell: ({ status }) => (
      <Pill tone={status === 'triggered' ? 'err' : 'plain'}>
        {status === 'triggered' && <Dot />}
        {status}
      </Pill>
    ),
  },
  {
    id: 'name',
    head: 'alert',
    width: 'minmax(0, 1fr)',
    cell: ({ id, name }) => (
      <Link
        to="/settings/alerts/$alertId"
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
    head: 'condition',
    width: 'minmax(0, 2fr)',
    cell: (alert) => (
      <Text as="div" cut tone="quiet" title={ruleInWords(alert)}>
        {ruleInWords(alert)}
      </Text>
    ),
  },
  {
    id: 'told',
    head: 'notifies',
    width: 'var(--width-when)',
    wideOnly: true,
    cell: (alert) => <Text tone="dim">{toldInWords(alert)}</Text>,
  },
  {
    id: 'made',
    head: 'created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at: at }) => <Quantity value={at && when(at)} title={at ? exactly(at) : undefined} />,
  },
];
