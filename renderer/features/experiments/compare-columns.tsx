import { Link } from '@tanstack/react-router';
import type { ExperimentDetail } from '../../../shared/contract/evaluation/experiments.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type ComparedItem, meanScores, type Verdict } from './compare.ts';
import { comparedText } from './url.ts';

const labels: Record<Verdict, string> = {
  regressed: 'Regressed',
  improved: 'Improved',
  changed: 'Changed',
  same: 'Unchanged',
  incomplete: 'Incomplete',
};
const tones = { regressed: 'err', improved: 'ok', changed: 'quiet', same: 'dim', incomplete: 'warm' } as const;

/** A score of one item in each run, such as `1 → 0 → 0.5`, with a dash where it is missing. */
function ScoreSequence({ compared, name }: { compared: ComparedItem; name: string }) {
  const values = compared.items.map((item) => (item ? meanScores([item]).get(name) : undefined));
  const [base, ...others] = values;
  if (values.every((value) => value === undefined)) return <span className="num block text-fg-3 text-row">—</span>;
  return (
    <span className="num block overflow-hidden text-row">
      <span className="text-fg-3">{base === undefined ? '—' : scoreText(base)}</span>
      {others.map((value, i) => {
        const tone = value === undefined || base === undefined || value === base ? 'text-fg-2' : value < base ? 'text-err' : 'text-ok';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a run is identified by its position
          <span key={i} className={tone}>{` → ${value === undefined ? '—' : scoreText(value)}`}</span>
        );
      })}
    </span>
  );
}

const hasChanged = ({ items }: ComparedItem, name: string) =>
  new Set(items.flatMap((item) => (item ? [meanScores([item]).get(name)] : []))).size > 1;

/** One column for each score that differs between runs; scores without differences are only in the table of runs. */
export function compareColumns(runs: readonly ExperimentDetail[], items: readonly ComparedItem[]): Column<ComparedItem>[] {
  const all = [...meanScores(runs.flatMap((run) => run.items)).keys()].sort();
  const names = all.filter((name) => items.some((item) => hasChanged(item, name)));
  const compare = comparedText(runs.map(({ id }) => id));
  return [
    {
      id: 'verdict',
      head: 'Verdict',
      width: 'var(--width-cost)',
      cell: ({ verdict }) => <Text tone={tones[verdict]}>{labels[verdict]}</Text>,
    },
    {
      id: 'item',
      head: 'Item',
      width: 'minmax(var(--width-total), 1fr)',
      cell: ({ id, name }) => (
        <Link
          to="/experiments"
          search={{ compare, item: id }}
          replace
          title={name}
          className="block truncate text-row after:absolute after:inset-0"
        >
          {name || 'unnamed'}
        </Link>
      ),
    },
    ...names.map(
      (name): Column<ComparedItem> => ({
        id: `score ${name}`,
        head: name,
        width: runs.length > 2 ? 'var(--width-when)' : 'var(--width-cost)',
        end: true,
        cell: (compared) => <ScoreSequence compared={compared} name={name} />,
      }),
    ),
  ];
}
