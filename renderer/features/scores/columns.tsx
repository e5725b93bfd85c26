import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { exactly, when } from '../../model/time/time.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { sourceLabels } from './url.ts';

export const scoreColumns = (open: (score: Score) => void): Column<Score>[] => [
  {
    id: 'name',
    head: 'Score',
    width: 'minmax(0, 1fr)',
    cell: ({ name }) => (
      <Text as="div" cut title={name}>
        {name}
      </Text>
    ),
  },
  {
    id: 'value',
    head: 'Value',
    width: 'var(--width-duration)',
    end: true,
    cell: ({ score }) => <Quantity value={scoreText(score)} title={String(score)} />,
  },
  {
    id: 'label',
    head: 'Label',
    width: 'var(--width-word)',
    cell: ({ label }) => (
      <Text as="div" cut tone="quiet" title={label}>
        {label}
      </Text>
    ),
  },
  {
    id: 'reason',
    head: 'Reason',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ reason }) => (
      <Text as="div" cut tone="dim" title={reason}>
        {reason}
      </Text>
    ),
  },
  {
    id: 'resource',
    head: 'Target',
    width: 'var(--width-name)',
    cell: (score) => (
      <button
        type="button"
        title={`Open ${score.resource_id}`}
        onClick={() => open(score)}
        className="block w-full truncate text-left font-mono text-accent text-row after:absolute after:inset-0 hover:underline"
      >
        {score.resource_id}
      </button>
    ),
  },
  {
    id: 'source',
    head: 'Source',
    width: 'var(--width-word)',
    wideOnly: true,
    cell: ({ source }) => <Text tone="dim">{sourceLabels[source] ?? source}</Text>,
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];
