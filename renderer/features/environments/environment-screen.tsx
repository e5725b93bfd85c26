import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { when } from '../../model/time/time.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { historyColumns } from './deployment-columns.tsx';
import { type Deployment, type EnvironmentDetail, useDeploymentsOf, useEnvironment } from './environments-query.ts';
import { PromoteDialog, RemoveDialog, RollbackDialog } from './release-dialogs.tsx';
import { commitInWords, isBackable, versionInWords } from './words.ts';

const route = getRouteApi('/settings/environments/$environmentId');

type Asked = { kind: 'promote' } | { kind: 'remove' } | { kind: 'back'; to: Deployment } | null;

/** One environment: current version, history and promotion. */
export function EnvironmentScreen() {
  const { environmentId } = route.useParams();
  const navigate = useNavigate();
  const environment = useEnvironment(environmentId);
  useBack('Environment', '/settings/environments');
  const all = () => void navigate({ to: '/settings/environments' });
  if (environment.data) return <Known environment={environment.data} onGone={all} />;
  if (!environment.isError) return <SkeletonRows label="Loading the environment" />;
  return isNotFound(environment.error) ? (
    <EmptyState title="Environment not found" action={<Button onClick={all}>All environments</Button>} />
  ) : (
    <FailedState failure={asFailure(environment.error, 'The environment could not be read')} onRetry={() => void environment.refetch()} />
  );
}

function Known({ environment, onGone }: { environment: EnvironmentDetail; onGone: () => void }) {
  const { id, name, kind, is_default, current_commit_sha, created_at, in_flight_saga_id } = environment;
  const deployments = useDeploymentsOf(id);
  const may = useMay();
  const [asked, ask] = useState<Asked>(null);
  const close = () => ask(null);
  const mayRelease = !is_default && may('environment.promote');
  const columns = historyColumns(id, mayRelease ? (to) => ask({ kind: 'back', to }) : null, (each) => isBackable(environment, each));
  return (
    <>
      <title>{`${name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/settings/environments">Environments</Link>} title={name}>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <Link to="/settings/keys" search={{ environment: name }} className="text-accent text-row hover:underline">
            Make a key for it
          </Link>
          {mayRelease && (
            <Button primary disabled={in_flight_saga_id !== null} onClick={() => ask({ kind: 'promote' })}>
              Promote into it
            </Button>
          )}
          {!is_default && may('environment.delete') && <Button onClick={() => ask({ kind: 'remove' })}>Delete</Button>}
        </span>
      </DetailHeader>
      <FactsLine
        facts={[
          ['serves', versionInWords(environment)],
          ['commit', commitInWords(current_commit_sha)],
          ['kind', kind],
          ['created', when(created_at)],
          ...(in_flight_saga_id ? ([['now', 'something is being brought here']] as const) : []),
        ]}
      />
      {deployments.isError && !deployments.data ? (
        <FailedState
          failure={asFailure(deployments.error, 'The deployments could not be listed')}
          onRetry={() => void deployments.refetch()}
        />
      ) : (
        <DataList label={`Deployments of ${name}`} columns={columns} rows={deployments.data ?? []} onOpen={() => {}} listKey={id}>
          {deployments.data ? (
            <EmptyState title="Nothing was deployed here yet">
              {is_default
                ? 'A push to the branch that is linked under Git comes here by itself.'
                : 'Promote what another environment serves: it becomes version 1 of this one.'}
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading deployments" />
          )}
        </DataList>
      )}
      {asked?.kind === 'promote' && <PromoteDialog environment={environment} onClose={close} />}
      {asked?.kind === 'back' && <RollbackDialog environment={environment} to={asked.to} onClose={close} />}
      {asked?.kind === 'remove' && <RemoveDialog environment={environment} onClose={close} onGone={onGone} />}
    </>
  );
}
