import { Link } from '@tanstack/react-router';
import { cost, count, duration } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { ListedRun, Task, Trial } from './evals-query.ts';
import { PassBar } from './pass-bar.tsx';
import { nameOf, stateOf, toneOf, trialLabels } from './words.ts';

export const RunState = ({ run }: { run: Pick<ListedRun, 'status' | 'key_expires_at'> }) => {
  const { word, tone, title } = stateOf(run);
  return (
    <Pill tone={tone} title={title}>
      <Dot />
      {word}
    </Pill>
  );
};

export const runColumns: Column<ListedRun>[] = [
  {
    id: 'name',
    head: 'Run',
    width: 'minmax(0, 1fr)',
    cell: (run) => (
      <Link
        to="/evals/$runId"
        params={{ runId: run.id }}
        className="block truncate text-fg text-row after:absolute after:inset-0"
        title={run.error ?? nameOf(run)}
      >
        {nameOf(run)}
        {run.error && <span className="ml-2 text-err">{run.error}</span>}
      </Link>
    ),
  },
  { id: 'state', head: 'Status', width: 'var(--width-when)', cell: (run) => <RunState run={run} /> },
  { id: 'passed', head: 'Passed', width: 'var(--width-name)', cell: ({ trials }) => <PassBar trials={trials} /> },
  {
    id: 'escalations',
    head: 'Escalated',
    width: 'var(--width-total)',
    end: true,
    wideOnly: true,
    cell: ({ escalations }) => <Quantity value={escalations === 0 ? null : count(escalations)} unknown="None" hot={escalations > 0} />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    wideOnly: true,
    cell: ({ cost_usd }) => <Quantity value={cost_usd === null ? null : cost(cost_usd)} unknown="Not reported" />,
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];

const money = (usd: number | null | undefined) => (
  <Quantity value={usd === null || usd === undefined ? null : cost(usd)} unknown="Not reported" />
);
const time = (ms: number | null | undefined) => (
  <Quantity value={ms === null || ms === undefined ? null : duration(milliseconds(ms))} unknown="Not reported" />
);
const score = (value: number | null | undefined) => (
  <Quantity value={value === null || value === undefined ? null : String(Math.round(value * 1000) / 1000)} unknown="No score" />
);

export type TaskRow = Task & { id: string };
export const taskColumns: Column<TaskRow>[] = [
  { id: 'task', head: 'Task', width: 'minmax(0, 1fr)', cell: ({ task_id }) => <NameCell text={task_id} /> },
  { id: 'passed', head: 'Passed', width: 'var(--width-name)', cell: ({ trials }) => <PassBar trials={trials} /> },
  { id: 'score', head: 'Mean score', width: 'var(--width-cost)', end: true, cell: ({ average_score }) => score(average_score) },
  {
    id: 'duration',
    head: 'Mean duration',
    width: 'var(--width-cost)',
    end: true,
    wideOnly: true,
    cell: ({ duration_ms }) => time(duration_ms),
  },
  { id: 'cost', head: 'Cost', width: 'var(--width-cost)', end: true, wideOnly: true, cell: ({ cost_usd }) => money(cost_usd) },
];

export type TrialRow = Trial & { id: string };
export const trialColumns: Column<TrialRow>[] = [
  {
    id: 'task',
    head: 'Trial',
    width: 'minmax(0, 1fr)',
    cell: ({ task_id, trial_index, error }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <NameCell text={`${task_id} #${trial_index + 1}`} />
        {error && (
          <Text cut tone="err" title={error}>
            {error}
          </Text>
        )}
      </span>
    ),
  },
  {
    id: 'state',
    head: 'Status',
    width: 'var(--width-word)',
    cell: ({ status }) => <Text tone={toneOf[status]}>{trialLabels[status]}</Text>,
  },
  { id: 'score', head: 'Score', width: 'var(--width-count)', end: true, cell: (trial) => score(trial.score) },
  { id: 'duration', head: 'Duration', width: 'var(--width-duration)', end: true, wideOnly: true, cell: (trial) => time(trial.duration_ms) },
  { id: 'cost', head: 'Cost', width: 'var(--width-cost)', end: true, wideOnly: true, cell: (trial) => money(trial.cost_usd) },
  {
    id: 'trace',
    head: 'Trace',
    width: 'var(--width-word)',
    end: true,
    cell: ({ trace_id: traceId }) =>
      traceId ? (
        <Link to="/traces/$traceId" params={{ traceId }} className="relative z-10 text-accent text-row hover:underline">
          Open trace
        </Link>
      ) : (
        <Text tone="dim">None</Text>
      ),
  },
];

const NameCell = ({ text }: { text: string }) => (
  <Text as="div" cut title={text}>
    {text}
  </Text>
);
