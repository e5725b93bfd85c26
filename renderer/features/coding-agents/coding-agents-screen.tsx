import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { type Run, useRuns, useWorkspaces } from './coding-agents-query.ts';
import { runColumns, workspaceColumns } from './columns.tsx';
import { StartDialog } from './start-dialog.tsx';
import { type CodingAgentsView, codingAgentsPageSize, readCodingAgentsUrl } from './url.ts';

const route = getRouteApi('/workers');

const shows = [
  { id: 'workspaces', label: 'Workspaces' },
  { id: 'runs', label: 'All runs' },
] as const;

const withId = (run: Run) => ({ ...run, id: run.run_id });

/** Workspaces and runs of the team's coding agents. */
export function CodingAgentsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const mayRun = useMay()('worker.run');
  const [isStarting, setStarting] = useState(false);
  const isRuns = view.show === 'runs';
  const workspaces = useWorkspaces(view, !isRuns);
  const runs = useRuns(view, isRuns);
  const list = isRuns ? runs : workspaces;
  const noun = isRuns ? 'runs' : 'workspaces';
  const show = (change: Partial<CodingAgentsView>) =>
    void navigate({ to: '/workers', search: readCodingAgentsUrl({ ...view, page: undefined, ...change }) });
  const openWorkspace = (envId: string) => void navigate({ to: '/workers/$envId', params: { envId } });
  const openRun = (runId: string) => void navigate({ to: '/workers/runs/$runId', params: { runId } });
  const newTask = mayRun && <Button onClick={() => setStarting(true)}>New task</Button>;
  const none = list.data ? <NoRuns noun={noun} action={newTask} /> : <SkeletonRows label={`Loading ${noun}`} />;
  const common = { listKey: JSON.stringify(view), children: none };
  return (
    <>
      <title>Coding agents · Glasshouse</title>
      <ScreenHeader title="Coding agents">
        <Segmented
          label="List"
          options={shows}
          value={isRuns ? 'runs' : 'workspaces'}
          onChange={(id) => show({ show: id === 'runs' ? id : undefined })}
        />
        <span className="ml-auto">{list.data?.data.length !== 0 && newTask}</span>
      </ScreenHeader>
      {list.isError && !list.data ? (
        <FailedState failure={asFailure(list.error, `The ${noun} could not be loaded`)} onRetry={() => void list.refetch()} />
      ) : isRuns ? (
        <DataList
          label="Runs"
          columns={runColumns}
          rows={runs.data?.data.map(withId) ?? []}
          onOpen={({ environment_id, run_id }) => (environment_id === null ? openRun(run_id) : openWorkspace(environment_id))}
          {...common}
        />
      ) : (
        <DataList
          label="Workspaces"
          columns={workspaceColumns}
          rows={workspaces.data?.data ?? []}
          onOpen={({ id }) => openWorkspace(id)}
          {...common}
        />
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={codingAgentsPageSize}
        total={list.data?.pagination.total ?? null}
        noun={noun}
        onPage={(page) => show({ page })}
      />
      {isStarting && <StartDialog onClose={() => setStarting(false)} onCreated={openWorkspace} onStarted={openRun} />}
    </>
  );
}

const NoRuns = ({ noun, action }: { noun: string; action: ReactNode }) => (
  <EmptyState title={`No ${noun} yet`} action={action}>
    Give a coding agent a task. It works in a copy of a repository, on a branch of its own, and every turn ends with a checkpoint.
  </EmptyState>
);
