import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { gatewayOrigin } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useAppId } from '../../api/identity.ts';
import { evalRunCommand } from '../../model/setup/setup-lines.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton } from '../../ui/primitives/copy-button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { runColumns } from './columns.tsx';
import { useRuns } from './evals-query.ts';
import { type EvalsView, readEvalsUrl, runPageSize, runStates } from './url.ts';

const route = getRouteApi('/evals');
const states = ['all', ...runStates].map((id) => ({ id, label: `${id[0]?.toUpperCase()}${id.slice(1)}` }));

/** Eval runs with their results. */
export function EvalsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const runs = useRuns(view);
  const show = (search: EvalsView) => void navigate({ to: '/evals', search });
  return (
    <>
      <title>Eval runs · Glasshouse</title>
      <ScreenHeader title="Eval runs">
        <Segmented label="Status" options={states} value={view.status ?? 'all'} onChange={(status) => show(readEvalsUrl({ status }))} />
      </ScreenHeader>
      {runs.isError && !runs.data ? (
        <FailedState failure={asFailure(runs.error, 'The eval runs could not be loaded')} onRetry={() => void runs.refetch()} />
      ) : (
        <DataList
          label="Eval runs"
          columns={runColumns}
          rows={runs.data?.data ?? []}
          onOpen={({ id: runId }) => void navigate({ to: '/evals/$runId', params: { runId } })}
          listKey={JSON.stringify(view)}
        >
          {runs.data ? <NoRuns status={view.status} onAll={() => show({})} /> : <SkeletonRows label="Loading eval runs" />}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={runPageSize}
        total={runs.data?.pagination.total ?? null}
        noun="eval runs"
        onPage={(page) => show(readEvalsUrl({ ...view, page }))}
      />
    </>
  );
}

function NoRuns({ status, onAll }: { status: string | undefined; onAll: () => void }) {
  const appId = useAppId();
  if (status)
    return (
      <EmptyState title={`No ${status} eval runs`} action={<Button onClick={onAll}>Show all eval runs</Button>}>
        There may be runs with another status.
      </EmptyState>
    );
  const command = () => evalRunCommand({ origin: gatewayOrigin(), appId, key: null });
  return (
    <EmptyState title="No eval runs yet" action={<CopyButton text={command} label="Copy command" />}>
      An eval run is one execution of an evaluation by a worker of yours, with its trials and a result card. The command creates one, and
      its answer has the key for the worker.
    </EmptyState>
  );
}
