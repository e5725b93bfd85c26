import { Link } from '@tanstack/react-router';
import { cost, count, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Run, Workspace } from './coding-agents-query.ts';
import { durationOf, nameOf, stateOf, stateOfWorkspace, titleOf } from './words.ts';

const rowLink = 'block truncate text-fg text-row after:absolute after:inset-0';

export const workspaceColumns: Column<Workspace>[] = [
  {
    id: 'name',
    head: 'Workspace',
    width: 'minmax(0, 1fr)',
    cell: (workspace) => (
      <Link to="/workers/$envId" params={{ envId: workspace.id }} className={rowLink} title={nameOf(workspace)}>
        {nameOf(workspace)}
      </Link>
    ),
  },
  {
    id: 'repo',
    head: 'Repository',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ repo }) => (
      <Text as="div" cut mono tone="dim" title={repo ?? 'The workspace started empty'}>
        {repo ?? '—'}
      </Text>
    ),
  },
  {
    id: 'state',
    head: 'Status',
    width: 'var(--width-name)',
    cell: (workspace) => {
      const { word, tone } = stateOfWorkspace(workspace);
      return <Pill tone={tone}>{word}</Pill>;
    },
  },
  {
    id: 'turns',
    head: 'Turns',
    width: 'var(--width-count)',
    end: true,
    cell: ({ turn_count }) => <Quantity value={count(turn_count)} title={plural(turn_count, 'turn')} />,
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

/** A turn opens in its workspace, a single run on a page of its own. */
const TaskLink = ({ run }: { run: Run }) =>
  run.environment_id === null ? (
    <Link to="/workers/runs/$runId" params={{ runId: run.run_id }} className={rowLink} title={titleOf(run)}>
      {titleOf(run)}
    </Link>
  ) : (
    <Link to="/workers/$envId" params={{ envId: run.environment_id }} className={rowLink} title={titleOf(run)}>
      {titleOf(run)}
    </Link>
  );

export const runColumns: Column<Run & { id: string }>[] = [
  { id: 'task', head: 'Task', width: 'minmax(0, 1fr)', cell: (run) => <TaskLink run={run} /> },
  {
    id: 'turn',
    head: 'Turn',
    width: 'var(--width-word)',
    wideOnly: true,
    cell: ({ environment_id, turn_index }) => <Text tone="dim">{environment_id === null ? 'Single run' : `Turn ${turn_index + 1}`}</Text>,
  },
  {
    id: 'state',
    head: 'Status',
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
    id: 'duration',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    wideOnly: true,
    cell: (run) => <Quantity value={durationOf(run) ?? '—'} title="How long the agent took" />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    cell: ({ cost_usd }) => <Quantity value={cost_usd === null ? '—' : cost(cost_usd)} title="As reported by the agent" />,
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
