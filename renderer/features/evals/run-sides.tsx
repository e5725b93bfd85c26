import { asFailure } from '../../api/failure.ts';
import { cost, plural } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { taskColumns, trialColumns } from './columns.tsx';
import { type Escalation, hasEnded, type ShownRun, useEscalations, useTasks, useTrials } from './evals-query.ts';
import { type EvalRunView, runPageSize, trialStates } from './url.ts';

interface SideProps {
  run: ShownRun;
  view: EvalRunView;
  onShow: (change: EvalRunView) => void;
}

/** Text of an empty tab. */
const emptyText = (run: ShownRun, noun: string) =>
  hasEnded(run) ? `The run ended without ${noun}.` : `Waiting for the worker to send ${noun}.`;

export function TaskSide({ run, view, onShow }: SideProps) {
  const tasks = useTasks(run, view);
  if (tasks.isError && !tasks.data)
    return <FailedState failure={asFailure(tasks.error, 'The tasks could not be loaded')} onRetry={() => void tasks.refetch()} />;
  const rows = tasks.data?.data.map((task) => ({ ...task, id: task.task_id })) ?? [];
  return (
    <div className="flex h-full flex-col">
      <DataList
        label="Tasks"
        columns={taskColumns}
        rows={rows}
        onOpen={() => onShow({ side: 'trials' })}
        listKey={`${run.id} ${view.page}`}
      >
        {tasks.data ? <EmptyState title="No tasks yet">{emptyText(run, 'trials')}</EmptyState> : <SkeletonRows label="Loading tasks" />}
      </DataList>
      <RunPager total={tasks.data?.pagination.total} noun="tasks" view={view} onShow={onShow} />
    </div>
  );
}

const states = ['all', ...trialStates].map((id) => ({ id, label: `${id[0]?.toUpperCase()}${id.slice(1)}` }));

export function TrialSide({ run, view, onShow }: SideProps) {
  const trials = useTrials(run, view);
  if (trials.isError && !trials.data)
    return <FailedState failure={asFailure(trials.error, 'The trials could not be loaded')} onRetry={() => void trials.refetch()} />;
  const rows = trials.data?.data.map((trial) => ({ ...trial, id: `${trial.task_id} ${trial.trial_index}` })) ?? [];
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-header shrink-0 items-center px-pad">
        <Segmented
          label="Outcome"
          options={states}
          value={view.trials ?? 'all'}
          onChange={(id) => onShow({ trials: trialStates.find((state) => state === id), page: undefined })}
        />
      </div>
      <DataList label="Trials" columns={trialColumns} rows={rows} onOpen={() => {}} listKey={`${run.id} ${view.trials} ${view.page}`}>
        {trials.data ? (
          <EmptyState title={view.trials ? 'No trials match' : 'No trials yet'}>{view.trials ? '' : emptyText(run, 'trials')}</EmptyState>
        ) : (
          <SkeletonRows label="Loading trials" />
        )}
      </DataList>
      <RunPager total={trials.data?.pagination.total} noun="trials" view={view} onShow={onShow} />
    </div>
  );
}

export function CardSide({ run }: SideProps) {
  const { card, metadata } = run;
  if (card === null && metadata === null)
    return (
      <EmptyState title="No result card yet">
        {hasEnded(run) ? 'The run ended without a result card.' : 'The worker sends it when the run succeeds.'}
      </EmptyState>
    );
  return (
    <div className="grid gap-3 p-pad">
      {card && (
        <Card head="Result card">
          <JsonView value={card} open={3} />
        </Card>
      )}
      {metadata && (
        <Card head="Metadata">
          <JsonView value={metadata} />
        </Card>
      )}
    </div>
  );
}

export function EscalationSide({ run, view, onShow }: SideProps) {
  const escalations = useEscalations(run, view);
  if (escalations.isError && !escalations.data)
    return (
      <FailedState
        failure={asFailure(escalations.error, 'The escalations could not be loaded')}
        onRetry={() => void escalations.refetch()}
      />
    );
  if (!escalations.data) return <SkeletonRows label="Loading escalations" />;
  if (escalations.data.data.length === 0)
    return (
      <EmptyState title="No escalations">
        When a worker has used up its attempts, it escalates the remaining tasks to people here.
      </EmptyState>
    );
  return (
    <div className="flex h-full flex-col">
      <div className="grid flex-1 content-start gap-3 overflow-auto p-pad">
        {escalations.data.data.map((escalation) => (
          <EscalationCard key={escalation.id} escalation={escalation} />
        ))}
      </div>
      <RunPager total={escalations.data.pagination.total} noun="escalations" view={view} onShow={onShow} />
    </div>
  );
}

function EscalationCard({ escalation }: { escalation: Escalation }) {
  const { attempts, task_ids, repo, base_commit, cost_usd, last_errors, suggested_next_steps, created_at } = escalation;
  const about = [
    plural(attempts, 'attempt'),
    cost_usd === undefined ? '' : cost(cost_usd),
    repo,
    base_commit?.slice(0, 8),
    when(created_at),
  ];
  return (
    <Card edge="err" head={about.filter(Boolean).join(' · ')}>
      <div className="grid gap-2">
        {suggested_next_steps && <LongText text={suggested_next_steps} />}
        <Text as="p" tone="quiet" className="wrap-anywhere">{`${plural(task_ids.length, 'task')}: ${task_ids.join(', ')}`}</Text>
        {last_errors && last_errors.length > 0 && <JsonView value={last_errors} />}
      </div>
    </Card>
  );
}

function RunPager({ total, noun, view, onShow }: { total: number | undefined; noun: string } & Pick<SideProps, 'view' | 'onShow'>) {
  return <Pager page={view.page ?? 1} pageSize={runPageSize} total={total ?? null} noun={noun} onPage={(page) => onShow({ page })} />;
}
