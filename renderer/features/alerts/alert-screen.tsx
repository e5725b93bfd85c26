import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { useLastError } from '../../api/last-error.ts';
import { useMemberNames } from '../../api/members.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { NotLoaded } from '../../ui/primitives/not-loaded.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { AlertCourse } from './alert-course.tsx';
import { AlertForm } from './alert-form.tsx';
import { type Alert, useAlert, useDeliveries, useEnvironments, useHistory, useRemoveAlert } from './alerts-query.ts';
import { AttentionLine } from './attention-line.tsx';
import { useAcknowledge, useMute } from './attention-query.ts';
import { useAlertChannels, useSendsMail } from './channels-query.ts';
import { historyColumns } from './history-columns.tsx';
import { MuteMenu } from './mute-menu.tsx';
import { ownerInWords, recipientsInWords, ruleInWords, statusLabels } from './words.ts';

const route = getRouteApi('/alerts/$alertId');

/** One alert: rule, values, history and notifications. */
export function AlertScreen() {
  const { alertId } = route.useParams();
  const navigate = useNavigate();
  const alert = useAlert(alertId);
  const error = useLastError(alert);
  useBack('Alert', '/alerts');
  const all = () => void navigate({ to: '/alerts' });
  if (alert.data) return <LoadedAlert alert={alert.data} onDeleted={all} />;
  return (
    <NotLoaded
      noun="alert"
      failure={error && asFailure(error, 'The alert could not be loaded')}
      isMissing={isNotFound(error)}
      onAll={all}
      onRetry={() => void alert.refetch()}
    />
  );
}

function LoadedAlert({ alert, onDeleted }: { alert: Alert; onDeleted: () => void }) {
  const history = useHistory(alert.id);
  const names = useMemberNames();
  const deliveries = useDeliveries(alert.id).data;
  const channels = useAlertChannels().data?.channels;
  const sendsMail = useSendsMail();
  const environment = useEnvironments().data?.find(({ id }) => id === alert.environment_id);
  const acknowledge = useAcknowledge(alert.id);
  const mute = useMute(alert.id);
  const problem = restOf(refusalOf(acknowledge.error ?? mute.error), []);
  const [dialog, openDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => openDialog(null);
  return (
    <>
      <title>{`${alert.name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/alerts">Alerts</Link>} title={alert.name}>
        <Actions alert={alert} acknowledge={acknowledge} mute={mute} onOpen={openDialog} />
      </DetailHeader>
      {problem && (
        <p role="alert" className="wrap-anywhere shrink-0 border-line border-b px-pad py-2 text-err text-row">
          {problem}
        </p>
      )}
      <FactsLine
        facts={[
          ['Status', statusLabels[alert.status]],
          ['Condition', ruleInWords(alert)],
          ['Scope', alert.environment_id === null ? 'Whole app' : (environment?.name ?? '…')],
          ['Notifies', recipientsInWords(alert, sendsMail)],
          ['Owner', ownerInWords(alert, names)],
        ]}
      />
      <AttentionLine alert={alert} latest={history.data?.[0]} />
      <AlertCourse alert={alert} environment={environment?.name} history={history.data ?? []} />
      {history.isError && !history.data ? (
        <FailedState failure={asFailure(history.error, 'The history could not be loaded')} onRetry={() => void history.refetch()} />
      ) : (
        <DataList
          label="History"
          columns={historyColumns(deliveries, channels)}
          rows={history.data ?? []}
          onOpen={() => {}}
          listKey={alert.id}
        >
          {history.data ? (
            <EmptyState title="Not triggered yet">Every status change is listed here.</EmptyState>
          ) : (
            <SkeletonRows label="Loading the history" />
          )}
        </DataList>
      )}
      {dialog === 'edit' && <AlertForm alert={alert} onClose={close} onSaved={close} />}
      {dialog === 'delete' && <DeleteDialog alert={alert} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}

interface ActionsProps {
  alert: Alert;
  acknowledge: ReturnType<typeof useAcknowledge>;
  mute: ReturnType<typeof useMute>;
  onOpen: (dialog: 'edit' | 'delete') => void;
}

function Actions({ alert, acknowledge, mute, onOpen }: ActionsProps) {
  const may = useMay();
  return (
    <span className="ml-auto flex shrink-0 gap-2">
      {may('alert.write') && alert.status === 'triggered' && alert.acknowledged_at === null && (
        <Button primary disabled={acknowledge.isPending} onClick={() => acknowledge.mutate(null)}>
          Acknowledge
        </Button>
      )}
      {may('alert.write') && <MuteMenu alert={alert} mute={mute} />}
      {may('alert.write') && <Button onClick={() => onOpen('edit')}>Edit</Button>}
      {may('alert.delete') && <Button onClick={() => onOpen('delete')}>Delete</Button>}
    </span>
  );
}

function DeleteDialog({ alert, onClose, onDeleted }: { alert: Alert; onClose: () => void; onDeleted: () => void }) {
  const remove = useRemoveAlert();
  return (
    <ConfirmDialog
      title={`Delete ${alert.name}`}
      action="Delete alert"
      isBusy={remove.isPending}
      problem={restOf(refusalOf(remove.error), [])}
      onConfirm={() => remove.mutate(alert.id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <p>Its history is deleted with it.</p>
    </ConfirmDialog>
  );
}
