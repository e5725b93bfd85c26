import { Link } from '@tanstack/react-router';
import { Square, SquareCheck } from 'lucide-react';
import type { ExperimentItem, ExperimentSummary } from '../../../shared/contract/evaluation/experiments.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { oneLine } from '../../model/text/one-line.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const statusLabels = { running: 'Running', stalled: 'Stalled' };
const noScore = 'No item of this run has a score';
const noPrice = 'Its models have no known price, or are free';

const selectionColumn = (selected: readonly string[], toggle: (id: string) => void): Column<ExperimentSummary> => ({
  id: 'selected',
  head: 'Select',
  isHeadHidden: true,
  width: 'var(--spacing-kind)',
  cell: ({ id, name }) => (
    <button
      type="button"
      aria-pressed={selected.includes(id)}
      aria-label={`Compare ${name}`}
      title="Compare this run with others"
      onClick={() => toggle(id)}
      className="relative z-10 block text-fg-3 hover:text-fg aria-pressed:text-accent"
    >
      <Icon of={selected.includes(id) ? SquareCheck : Square} />
    </button>
  ),
});

const numberColumns: Column<ExperimentSummary>[] = [
  { id: 'items', head: 'Items', width: 'var(--width-count)', end: true, cell: ({ itemCount }) => <Quantity value={count(itemCount)} /> },
  {
    id: 'score',
    head: 'Score',
    width: 'var(--width-duration)',
    end: true,
    cell: ({ avgScore }) => (
      <Quantity value={avgScore === null ? null : scoreText(avgScore)} unknown={noScore} title="Mean of all scores of its items" />
    ),
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 'var(--width-total)',
    end: true,
    wideOnly: true,
    cell: ({ totalTokens = 0 }) => <Quantity value={totalTokens > 0 ? tokens(totalTokens) : null} unknown="No tokens were reported" />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    cell: ({ totalCost }) => <Quantity value={totalCost > 0 ? cost(totalCost) : null} unknown={noPrice} />,
  },
  {
    id: 'latency',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    cell: ({ avgLatencyMs }) => <Quantity value={duration(milliseconds(avgLatencyMs))} title="Mean latency of an item" />,
  },
  {
    id: 'start',
    head: 'Started',
    width: 'var(--width-when)',
    end: true,
    cell: ({ start }) => (
      <Quantity value={start === undefined ? null : when(start)} title={start && exactly(start)} unknown="Not started" />
    ),
  },
];

const nameColumns: Column<ExperimentSummary>[] = [
  {
    id: 'name',
    head: 'Experiment',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name, status }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link to="/experiments" search={{ id }} title={id} className="block truncate text-row after:absolute after:inset-0">
          {name}
        </Link>
        {status && <Pill tone={status === 'stalled' ? 'warm' : 'plain'}>{statusLabels[status]}</Pill>}
      </span>
    ),
  },
  {
    id: 'prompt',
    head: 'Prompt',
    width: 'minmax(0, 1fr)',
    cell: ({ promptName }) => (
      <Text as="div" cut tone="quiet" title={promptName}>
        {promptName || '—'}
      </Text>
    ),
  },
  {
    id: 'dataset',
    head: 'Dataset',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ datasetPath }) => (
      <Text as="div" mono cut tone="dim" title={datasetPath}>
        {datasetPath || '—'}
      </Text>
    ),
  },
];

export const experimentColumns = (selected: readonly string[], toggle: (id: string) => void): Column<ExperimentSummary>[] => [
  selectionColumn(selected, toggle),
  ...nameColumns,
  ...numberColumns,
];

const scoreOf = (item: ExperimentItem, name: string) => item.scores.find((score) => score.name === name);

/** One column for each score of any item. */
export const itemColumns = (id: string, scoreNames: readonly string[]): Column<ExperimentItem & { id: string }>[] => [
  {
    id: 'name',
    head: 'Item',
    width: 'minmax(0, 1fr)',
    cell: ({ id: item, itemName }) => (
      <Link
        to="/experiments"
        search={{ id, item }}
        replace
        title={itemName}
        className="block truncate text-row after:absolute after:inset-0"
      >
        {itemName || 'unnamed'}
      </Link>
    ),
  },
  {
    id: 'output',
    head: 'Output',
    width: 'minmax(0, 2fr)',
    cell: ({ output }) => (
      <Text as="div" cut mono tone="dim" title={oneLine(output, 2000)}>
        {oneLine(output) || '—'}
      </Text>
    ),
  },
  ...scoreNames.map(
    (name): Column<ExperimentItem & { id: string }> => ({
      id: `score ${name}`,
      head: name,
      width: 'var(--width-duration)',
      end: true,
      cell: (item) => {
        const score = scoreOf(item, name);
        return <Quantity value={score ? score.label || scoreText(score.score) : null} unknown="Not scored" title={score?.reason} />;
      },
    }),
  ),
  {
    id: 'latency',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    cell: ({ latencyMs }) => <Quantity value={duration(milliseconds(latencyMs))} />,
  },
];
