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
import { type Escalation, isOver, type ShownRun, useEscalations, useTasks, useTrials } from './evals-query.ts';
import { type EvalRunView, runPageSize, trialStates } from './url.ts';

interface SideProps {
  run: ShownRun;
  view: EvalRunView;
  onShow: (change: EvalRunView) => void;
}

/** Text of an empty side. */
const waitFor = (run: ShownRun, what: string) =>
  isOver(run) ? `The run ended without ${what}.` : `They appear here by themselves when the worker sends ${what}.`;

export function TaskSide({ run, view, onShow }: SideProps) {
  const tasks = useTasks(run, view);
  if (tasks.isError && !tasks.data)
    return <FailedState failure={asFailure(tasks.error, 'The tasks could not be listed')} onRetry={() => void tasks.refetch()} />;
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
        {tasks.data ? <EmptyState title="No task yet">{waitFor(run, 'trials')}</EmptyState> : <SkeletonRows label="Loading tasks" />}
      </DataList>
      <Paged total={tasks.data?.pagination.total} noun="tasks" view={view} onShow={onShow} />
    </div>
  );
}

const states = ['all', ...trialStates].map((id) => ({ id, label: `${id[0]?.toUpperCase()}${id.slice(1)}` }));

export function TrialSide({ run, view, onShow }: SideProps) {
  const trials = useTrials(run, view);
  if (trials.isError && !trials.data)
    return <FailedState failure={asFailure(trials.error, 'The trials could not be listed')} onRetry={() => void trials.refetch()} />;
  const rows = trials.data?.data.map((trial) => ({ ...trial, id: `${trial.task_id} ${trial.trial_index}` })) ?? [];
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-header shrink-0 items-center px-pad">
        <Segmented
          label="Outcome"
          options={states}
          value={view.trials ?? 'all'}
          onChange={(id) => onShow({ trials: trialStates.find((each) => each === id), page: undefined })}
        />
      </div>
      <DataList label="Trials" columns={trialColumns} rows={rows} onOpen={() => {}} listKey={`${run.id} ${view.trials} ${view.page}`}>
        {trials.data ? (
          <EmptyState title={view.trials ? `No trial is ${view.trials}` : 'No trial yet'}>
            {view.trials ? '' : waitFor(run, 'trials')}
          </EmptyState>
        ) : (
          <SkeletonRows label="Loading trials" />
        )}
      </DataList>
      <Paged total={trials.data?.pagination.total} noun="trials" view={view} onShow={onShow} />
    </div>
  );
}

export function CardSide({ run }: SideProps) {
  const { card, metadata } = run;
  if (card === null && metadata === null)
    return (
      <EmptyState title="No card yet">
        {isOver(run) ? 'The run ended without one.' : 'The worker sends it when it has succeeded.'}
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
        <Card head="Made with">
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
        failure={asFailure(escalations.error, 'The escalations could not be listed')}
        onRetry={() => void escalations.refetch()}
      />
    );
  if (!escalations.data) return <SkeletonRows label="Loading escalations" />;
  if (escalations.data.data.length === 0)
    return <EmptyState title="Nothing was escalated">A worker whose attempts are used up hands the rest on to people, here.</EmptyState>;
  return (
    <div className="flex h-full flex-col">
      <div className="grid flex-1 content-start gap-3 overflow-auto p-pad">
        {escalations.data.data.map((each) => (
          <Ticket key={each.id} ticket={each} />
        ))}
      </div>
      <Paged total={escalations.data.pagination.total} noun="escalations" view={view} onShow={onShow} />
    </div>
  );
}

function Ticket({ ticket }: { ticket: Escalation }) {
  const { attempts, task_ids, repo, base_commit, cost_usd, last_errors, suggested_next_steps, created_at } = ticket;
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

function Paged({ total, noun, view, onShow }: { total: number | undefined; noun: string } & Pick<SideProps, 'view' | 'onShow'>) {
  return <Pager page={view.page ?? 1} pageSize={runPageSize} total={total ?? null} noun={noun} onPage={(page) => onShow({ page })} />;
}
