import { Link } from '@tanstack/react-router';
import { cost, count, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { nameOf, stateOf, stateOfWorkspace, titleOf, tookOf } from './words.ts';
import type { Run, Workspace } from './workers-query.ts';

const whole = 'block truncate text-fg text-row after:absolute after:inset-0';

export const workspaceColumns: Column<Workspace>[] = [
  {
    id: 'name',
    head: 'workspace',
    width: 'minmax(0, 1fr)',
    cell: (workspace) => (
      <Link to="/workers/$envId" params={{ envId: workspace.id }} className={whole} title={nameOf(workspace)}>
        {nameOf(workspace)}
      </Link>
    ),
  },
  {
    id: 'repo',
    head: 'repository',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ repo }) => (
      <Text as="div" cut mono tone="dim" title={repo ?? 'It began empty'}>
        {repo ?? '—'}
      </Text>
    ),
  },
  {
    id: 'state',
    head: 'state',
    width: 'var(--width-name)',
    cell: (workspace) => {
      const { word, tone } = stateOfWorkspace(workspace);
      return <Pill tone={tone}>{word}</Pill>;
    },
  },
  {
    id: 'turns',
    head: 'turns',
    width: 'var(--width-count)',
    end: true,
    cell: ({ turn_count }) => <Quantity value={count(turn_count)} title={plural(turn_count, 'turn')} />,
  },
  {
    id: 'opened',
    head: 'opened',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];

/** A turn is shown in its workspace. */
const TaskLink = ({ run }: { run: Run }) =>
  run.environment_id === null ? (
    <Link to="/workers/runs/$runId" params={{ runId: run.run_id }} className={whole} title={titleOf(run)}>
      {titleOf(run)}
    </Link>
  ) : (
    <Link to="/workers/$envId" params={{ envId: run.environment_id }} className={whole} title={titleOf(run)}>
      {titleOf(run)}
    </Link>
  );

export const runColumns: Column<Run & { id: string }>[] = [
  { id: 'task', head: 'task', width: 'minmax(0, 1fr)', cell: (run) => <TaskLink run={run} /> },
  {
    id: 'where',
    head: 'where',
    width: 'var(--width-word)',
    wideOnly: true,
    cell: ({ environment_id, turn_index }) => <Text tone="dim">{environment_id === null ? 'by itself' : `turn ${turn_index + 1}`}</Text>,
  },
  {
    id: 'state',
    head: 'state',
    width: 'var(--width-name)',
    cell: (run) => {
      const { word, tone } = stateOf(run);
      return (
        <Pill tone={tone} title={run.error ?? undefined}>
          {word}
        </Pill>
      );
    },
  },
  {
    id: 'took',
    head: 'duration',
    width: 'var(--width-duration)',
    end: true,
    wideOnly: true,
    cell: (run) => <Quantity value={tookOf(run) ?? '—'} title="How long the agent took" />,
  },
  {
    id: 'cost',
    head: 'cost',
    width: 'var(--width-cost)',
    end: true,
    cell: ({ cost_usd }) => <Quantity value={cost_usd === null ? '—' : cost(cost_usd)} title="As the agent says" />,
  },
  {
    id: 'asked',
    head: 'created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];
