import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { useLastError } from '../../api/last-error.ts';
import { when } from '../../model/time/time.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { NotLoaded } from '../../ui/primitives/not-loaded.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { historyColumns } from './deployment-columns.tsx';
import { type Deployment, type EnvironmentDetail, useDeploymentsOf, useEnvironment } from './environments-query.ts';
import { DeleteDialog, PromoteDialog, RollbackDialog } from './release-dialogs.tsx';
import { canRollBackTo, commitInWords, versionInWords } from './words.ts';

const route = getRouteApi('/settings/environments/$environmentId');

type OpenDialog = { kind: 'promote' } | { kind: 'delete' } | { kind: 'rollback'; to: Deployment } | null;

/** One environment: current version, history and promotion. */
export function EnvironmentScreen() {
  const { environmentId } = route.useParams();
  const navigate = useNavigate();
  const environment = useEnvironment(environmentId);
  const error = useLastError(environment);
  useBack('Environment', '/settings/environments');
  const all = () => void navigate({ to: '/settings/environments' });
  if (environment.data) return <LoadedEnvironment environment={environment.data} onDeleted={all} />;
  return (
    <NotLoaded
      noun="environment"
      failure={error && asFailure(error, 'The environment could not be loaded')}
      isMissing={isNotFound(error)}
      onAll={all}
      onRetry={() => void environment.refetch()}
    />
  );
}

function LoadedEnvironment({ environment, onDeleted }: { environment: EnvironmentDetail; onDeleted: () => void }) {
  const { id, name, kind, is_default, current_commit_sha, created_at, in_flight_saga_id } = environment;
  const deployments = useDeploymentsOf(id);
  const may = useMay();
  const [dialog, openDialog] = useState<OpenDialog>(null);
  const close = () => openDialog(null);
  const mayRelease = !is_default && may('environment.promote');
  const columns = historyColumns(id, mayRelease ? (to) => openDialog({ kind: 'rollback', to }) : null, (deployment) =>
    canRollBackTo(environment, deployment),
  );
  return (
    <>
      <title>{`${name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/settings/environments">Environments</Link>} title={name}>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <Link to="/settings/keys" search={{ environment: name, form: 'new' }} className="text-accent text-row hover:underline">
            Create API key
          </Link>
          {mayRelease && (
            <Button primary disabled={in_flight_saga_id !== null} onClick={() => openDialog({ kind: 'promote' })}>
              Promote to this environment
            </Button>
          )}
          {!is_default && may('environment.delete') && <Button onClick={() => openDialog({ kind: 'delete' })}>Delete</Button>}
        </span>
      </DetailHeader>
      <FactsLine
        facts={[
          ['Version', versionInWords(environment)],
          ['Commit', commitInWords(current_commit_sha)],
          ['Kind', kind],
          ['Created', when(created_at)],
          ...(in_flight_saga_id ? ([['Status', 'Release in progress']] as const) : []),
        ]}
      />
      {deployments.isError && !deployments.data ? (
        <FailedState
          failure={asFailure(deployments.error, 'The deployments could not be loaded')}
          onRetry={() => void deployments.refetch()}
        />
      ) : (
        <DataList label={`Deployments of ${name}`} columns={columns} rows={deployments.data ?? []} onOpen={() => {}} listKey={id}>
          {deployments.data ? (
            <EmptyState
              title="No deployments yet"
              action={
                is_default && (
                  <Link to="/settings/git" className={linkButton}>
                    Link a repository
                  </Link>
                )
              }
            >
              {is_default
                ? 'A push to the branch that is linked under Git is deployed here. Every deployment is a version that one can promote.'
                : 'Nothing runs here until a version is promoted from another environment. The first one becomes version 1.'}
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading deployments" />
          )}
        </DataList>
      )}
      {dialog?.kind === 'promote' && <PromoteDialog environment={environment} onClose={close} />}
      {dialog?.kind === 'rollback' && <RollbackDialog environment={environment} to={dialog.to} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteDialog environment={environment} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}
