import { Link } from '@tanstack/react-router';
import { groupMax } from '../../../shared/contract/tracing/comparison-terms.ts';
import { cost, count, duration, percent } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { runFigures } from '../../model/trace/run-figures.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import { linkButton } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useRunsWhile, type WhileDeployed } from './prompts-query.ts';

interface VersionRunsProps {
  /** The versions by label, the earlier one first. */
  versions: readonly (WhileDeployed & { label: string })[];
  name: string;
  environment: string | undefined;
}

/** What the runs of each version took, cost and scored while it was deployed, with what separates them. */
export function VersionRuns({ versions, name, environment }: VersionRunsProps) {
  const queries = useRunsWhile(versions, name, environment);
  const found = queries.map(({ data }) => data);
  if (queries.some(({ isError }) => isError)) return <Text tone="dim">The runs of these versions could not be loaded.</Text>;
  if (found.some((data) => data === undefined)) return <Text tone="dim">Loading the runs of these versions…</Text>;
  const rows = versions.map(({ label }, at) => ({ label, total: found[at]?.total ?? 0, runs: found[at]?.rows ?? [] }));
  if (rows.every(({ total }) => total === 0)) return <Text tone="dim">No run used the prompt while these versions were deployed.</Text>;
  const figures = rows.map(({ runs }) => runFigures(runs));
  const scores = [...new Set(figures.flatMap((each) => [...each.scores.keys()]))].sort();
  const [a_ids, b_ids] = rows.map(({ runs }) =>
    runs
      .slice(0, groupMax)
      .map(({ id }) => id)
      .join(),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Runs of these versions" tabIndex={0} className="grid gap-2 overflow-x-auto">
      <table className="w-full text-row">
        <thead>
          <tr className="h-row border-line border-b text-fg-3 text-label">
            {['Version', 'Runs', 'Failed', 'Median duration', 'Cost of a run', ...scores].map((head, at) => (
              <th key={head} scope="col" className={`px-2 font-normal ${at === 0 ? 'text-left' : 'text-right'}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, total, runs }, at) => {
            const { failed, medianMs, meanCost, scores: means } = figures[at] as ReturnType<typeof runFigures>;
            const cells = [
              count(total),
              runs.length === 0 ? '—' : `${count(failed)} (${percent(failed / runs.length)})`,
              medianMs === null ? '—' : duration(milliseconds(medianMs)),
              meanCost === null ? '—' : cost(meanCost),
              ...scores.map((score) => (means.has(score) ? scoreText(means.get(score) as number) : '—')),
            ];
            return (
              <tr key={label} className="h-row">
                <th scope="row" className="px-2 text-left font-normal font-mono">
                  {label}
                </th>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
                  <td key={column} className="num px-2">
                    {cell}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="flex flex-wrap items-center gap-3">
        {a_ids && b_ids && (
          <Link to="/compare" search={{ a_ids, b_ids }} className={linkButton}>
            Compare their runs
          </Link>
        )}
        <Text tone="dim">Traces that used the prompt while the version was deployed: the newest 100 of each.</Text>
      </p>
    </section>
  );
}
