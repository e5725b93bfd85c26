import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { useLastError } from '../../api/last-error.ts';
import { refusalOf } from '../../api/refusal.ts';
import { count } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { NotLoaded } from '../../ui/primitives/not-loaded.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useClose, useTurns, useWorkspace, type Workspace } from './coding-agents-query.ts';
import { NextTurn } from './next-turn.tsx';
import { TurnCard } from './turn-card.tsx';
import { nameOf, stateOfWorkspace } from './words.ts';

const route = getRouteApi('/workers/$envId');

/** One workspace with its turns, updated while they run. */
export function WorkspaceScreen() {
  const { envId } = route.useParams();
  const navigate = useNavigate();
  const workspace = useWorkspace(envId);
  const error = useLastError(workspace);
  const all = () => void navigate({ to: '/workers' });
  if (workspace.data) return <LoadedWorkspace workspace={workspace.data} />;
  return (
    <NotLoaded
      noun="workspace"
      failure={error && asFailure(error, 'The workspace could not be loaded')}
      isMissing={isNotFound(error)}
      onAll={all}
      onRetry={() => void workspace.refetch()}
    />
  );
}

function LoadedWorkspace({ workspace }: { workspace: Workspace }) {
  const { id, status, repo, work_branch, turn_count, created_at } = workspace;
  const mayRun = useMay()('worker.run');
  const [isClosing, setClosing] = useState(false);
  const { word, tone } = stateOfWorkspace(workspace);
  const name = nameOf(workspace);
  return (
    <>
      <title>{`${name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/workers">Coding agents</Link>} title={name}>
        <Pill tone={tone}>{word}</Pill>
        {mayRun && status !== 'closed' && (
          <span className="ml-auto">
            <Button disabled={status === 'busy'} onClick={() => setClosing(true)}>
              Close
            </Button>
          </span>
        )}
      </DetailHeader>
      <FactsLine
        facts={[
          ['Repository', repo ?? 'None'],
          ['Work branch', work_branch ?? '—'],
          ['Turns', count(turn_count)],
          ['Created', when(created_at)],
        ]}
      />
      <Turns envId={id} name={name} />
      {mayRun && status !== 'closed' && <NextTurn workspace={workspace} />}
      {isClosing && <CloseDialog workspace={workspace} onClose={() => setClosing(false)} />}
    </>
  );
}

function Turns({ envId, name }: { envId: string; name: string }) {
  const turns = useTurns(envId);
  if (turns.isError && !turns.data)
    return <FailedState failure={asFailure(turns.error, 'The turns could not be loaded')} onRetry={() => void turns.refetch()} />;
  if (!turns.data) return <SkeletonRows label="Loading the turns" />;
  return (
    <PageBody label={`Turns of ${name}`}>
      {turns.data.map((run, index, all) => (
        <div key={run.run_id} ref={index === all.length - 1 ? scrollToTurn : null} className="min-w-0">
          <TurnCard run={run} title={`Turn ${run.turn_index + 1}`} isLast={index === all.length - 1} />
        </div>
      ))}
    </PageBody>
  );
}

/** Scrolls to the newest turn once, when it appears. */
const scrollToTurn = (turn: HTMLElement | null): void => turn?.scrollIntoView({ block: 'start' });

function CloseDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const close = useClose();
  return (
    <ConfirmDialog
      title="Close workspace"
      action="Close workspace"
      isBusy={close.isPending}
      problem={refusalOf(close.error).whole}
      onConfirm={() => close.mutate(workspace.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Its files are deleted, and it takes no more tasks. Its turns can still be read
        {workspace.repo === null ? '.' : `, and the branch ${workspace.work_branch} stays in ${workspace.repo}.`}
      </p>
    </ConfirmDialog>
  );
}
