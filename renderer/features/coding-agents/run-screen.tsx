import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useLastError } from '../../api/last-error.ts';
import { when } from '../../model/time/time.ts';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { NotLoaded } from '../../ui/primitives/not-loaded.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { useRun } from './coding-agents-query.ts';
import { TurnCard } from './turn-card.tsx';
import { titleOf } from './words.ts';

const route = getRouteApi('/workers/runs/$runId');

/** A single run, updated while it is in progress. */
export function RunScreen() {
  const { runId } = route.useParams();
  const navigate = useNavigate();
  const run = useRun(runId);
  const error = useLastError(run);
  useBack('Run', '/workers');
  if (!run.data)
    return (
      <NotLoaded
        noun="run"
        failure={error && asFailure(error, 'The run could not be loaded')}
        isMissing={isNotFound(error)}
        onAll={() => void navigate({ to: '/workers', search: { show: 'runs' } })}
        onRetry={() => void run.refetch()}
      />
    );
  const { repo, work_branch, created_at } = run.data;
  const parent = (
    <Link to="/workers" search={{ show: 'runs' }}>
      Coding agents
    </Link>
  );
  return (
    <>
      <title>{`${titleOf(run.data)} · Glasshouse`}</title>
      <DetailHeader parent={parent} title={titleOf(run.data)} />
      <FactsLine
        facts={[
          ['Repository', repo ?? 'None'],
          ['Work branch', work_branch ?? '—'],
          ['Created', when(created_at)],
        ]}
      />
      <PageBody label="Run">
        <TurnCard run={run.data} title="Run" isLast />
      </PageBody>
    </>
  );
}
