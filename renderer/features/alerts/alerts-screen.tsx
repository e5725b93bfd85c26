import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { GatewayError } from '../../../shared/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { useMemberNames } from '../../api/members.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { alertColumns } from './alert-columns.tsx';
import { AlertForm } from './alert-form.tsx';
import { useAlerts } from './alerts-query.ts';
import { useSendsMail } from './channels-query.ts';
import { type AlertsView, readAlertsUrl } from './url.ts';

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
  const names = useMemberNames();
  const sendsMail = useSendsMail();
  const show = (change: Partial<AlertsView>) => void navigate({ to: '/alerts', search: readAlertsUrl({ ...view, ...change }) });
  const owners = [{ id: '', label: 'Any owner' }, ...[...(names ?? [])].map(([id, label]) => ({ id, label }))];
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
        <Segmented
          label="Status"
          options={states}
          value={view.status ?? 'all'}
          onChange={(status) => show({ status: status === 'all' ? undefined : status })}
        />
        {names && (
          <InlineSelect label="Owner" options={owners} value={view.owner ?? ''} onChange={(owner) => show({ owner: owner || undefined })} />
        )}
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
        <DataList
          label="Alerts"
          columns={alertColumns(names, sendsMail)}
          rows={alerts.data ?? []}
          onOpen={open}
          listKey={`${view.status ?? ''} ${view.owner ?? ''}`}
        >
          {!alerts.data ? (
            <SkeletonRows label="Loading alerts" />
          ) : view.status || view.owner ? (
            <EmptyState
              title="No alerts match"
              action={<Button onClick={() => show({ status: undefined, owner: undefined })}>Show all alerts</Button>}
            >
              There may be alerts with another status or owner.
            </EmptyState>
          ) : (
            <EmptyState title="No alerts yet" action={newAlert}>
              An alert checks the errors, latency, cost or scores of the app every minute. When a threshold is crossed, it notifies its
              channels: a webhook, Slack, Teams, PagerDuty or e-mail.
            </EmptyState>
          )}
        </DataList>
      )}
      {isCreating && <AlertForm alert={null} onClose={() => setCreating(false)} onSaved={open} />}
    </>
  );
}
