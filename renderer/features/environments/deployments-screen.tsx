import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure } from '../../api/failure.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { deploymentColumns } from './deployment-columns.tsx';
import { type Deployment, useDeployments, useEnvironments } from './environments-query.ts';
import { type DeploymentsView, deploymentsPageSize, readDeploymentsUrl } from './url.ts';

const route = getRouteApi('/deployments');

const states = [
  { id: 'all', label: 'All' },
  { id: 'running', label: 'Running' },
  { id: 'success', label: 'Succeeded' },
  { id: 'failure', label: 'Failed' },
] as const;

/** Deployments of the app with their outcome, updated while they run. */
export function DeploymentsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const deployments = useDeployments(view);
  const environments = useEnvironments().data ?? [];
  const show = (change: Partial<DeploymentsView>) =>
    void navigate({ to: '/deployments', search: readDeploymentsUrl({ ...view, page: undefined, ...change }) });
  const idOf = ({ environment_name }: Deployment) => environments.find(({ name }) => name === environment_name)?.id;
  const open = (deployment: Deployment) => {
    const environmentId = idOf(deployment);
    if (environmentId) void navigate({ to: '/settings/environments/$environmentId', params: { environmentId } });
  };
  return (
    <>
      <title>Deployments · Glasshouse</title>
      <ScreenHeader title="Deployments">
        <Segmented
          label="Status"
          options={states}
          value={view.status ?? 'all'}
          onChange={(id) => show({ status: id === 'all' ? undefined : id })}
        />
        <Link to="/settings/environments" className="ml-auto text-accent text-row hover:underline">
          Environments
        </Link>
      </ScreenHeader>
      {deployments.isError && !deployments.data ? (
        <FailedState
          failure={asFailure(deployments.error, 'The deployments could not be loaded')}
          onRetry={() => void deployments.refetch()}
        />
      ) : (
        <DataList
          label="Deployments"
          columns={deploymentColumns(idOf)}
          rows={deployments.data?.data ?? []}
          onOpen={open}
          listKey={JSON.stringify(view)}
        >
          {!deployments.data ? (
            <SkeletonRows label="Loading deployments" />
          ) : view.status ? (
            <EmptyState
              title="No deployments match"
              action={<Button onClick={() => show({ status: undefined })}>Show all deployments</Button>}
            >
              There may be deployments with another outcome.
            </EmptyState>
          ) : (
            <EmptyState
              title="No deployments yet"
              action={
                <Link to="/settings/git" className={linkButton}>
                  Link a repository
                </Link>
              }
            >
              A deployment brings prompts and datasets of a commit into an environment. A push to the linked branch creates one, and so does
              a promotion from one environment to another.
            </EmptyState>
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={deploymentsPageSize}
        total={deployments.data?.pagination.total ?? null}
        noun="deployments"
        onPage={(page) => show({ page })}
      />
    </>
  );
}
