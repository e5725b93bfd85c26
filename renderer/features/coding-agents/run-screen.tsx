import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
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
  useBack('Run', '/workers');
  if (!run.data && !run.isError) return <SkeletonRows label="Loading the run" />;
  if (!run.data) {
    const all = () => void navigate({ to: '/workers', search: { show: 'runs' } });
    return isNotFound(run.error) ? (
      <EmptyState isPage title="Run not found" action={<Button onClick={all}>All runs</Button>} />
    ) : (
      <FailedState isPage failure={asFailure(run.error, 'The run could not be loaded')} onRetry={() => void run.refetch()} />
    );
  }
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
