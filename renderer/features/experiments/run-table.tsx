import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import type { ExperimentDetail } from '../../../shared/contract/evaluation/experiments.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { meanScores, shiftOf } from './compare.ts';

interface Measure {
  name: string;
  of: (run: ExperimentDetail) => number | null;
  text: (value: number) => string;
  /** Whether a higher value is better. */
  isHigherBetter: boolean;
}

const measures: Measure[] = [
  { name: 'Mean latency', of: ({ avgLatencyMs }) => avgLatencyMs, text: (ms) => duration(milliseconds(ms)), isHigherBetter: false },
  { name: 'Tokens', of: ({ totalTokens }) => totalTokens || null, text: tokens, isHigherBetter: false },
  { name: 'Cost', of: ({ totalCost }) => totalCost || null, text: cost, isHigherBetter: false },
];

const scoreMeasures = (runs: readonly ExperimentDetail[]): Measure[] =>
  [...meanScores(runs.flatMap(({ items }) => items)).keys()].sort().map((name) => ({
    name,
    of: ({ items }) => meanScores(items).get(name) ?? null,
    text: scoreText,
    isHigherBetter: true,
  }));

const signed = (share: number) =>
  `${share > 0 ? '+' : '−'}${Math.abs(share * 100) < 10 ? Math.abs(share * 100).toFixed(1) : Math.round(Math.abs(share * 100))} %`;

/** Totals of each run, with the difference from the first. */
export function RunTable({ runs, onBaseline }: { runs: readonly ExperimentDetail[]; onBaseline: (id: string) => void }) {
  const [base] = runs;
  const allMeasures = [...scoreMeasures(runs), ...measures];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Runs" tabIndex={0} className="shrink-0 overflow-x-auto border-line border-b">
      <table className="w-full text-row">
        <thead>
          <tr className="h-row border-line border-b text-fg-3 text-label">
            <th scope="col" className="px-pad text-left font-normal">
              Run
            </th>
            <th scope="col" className="px-pad text-right font-normal">
              Items
            </th>
            {allMeasures.map(({ name }) => (
              <th key={name} scope="col" className="px-pad text-right font-normal">
                {name}
              </th>
            ))}
            <th scope="col" className="px-pad">
              <span className="sr-only">Baseline</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="h-row">
              <th scope="row" className="max-w-form px-pad text-left font-normal">
                <Link to="/experiments" search={{ id: run.id }} className="block truncate hover:underline" title={run.id}>
                  {run.name}
                </Link>
              </th>
              <td className="num px-pad text-fg-2">{count(run.itemCount)}</td>
              {allMeasures.map((measure) => (
                <MeasureCell key={measure.name} measure={measure} run={run} base={base === run ? undefined : base} />
              ))}
              <td className="px-pad text-right">
                {run === base ? <Text tone="dim">Baseline</Text> : <Button onClick={() => onBaseline(run.id)}>Set as baseline</Button>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MeasureCell({ measure, run, base }: { measure: Measure; run: ExperimentDetail; base: ExperimentDetail | undefined }) {
  const value = measure.of(run);
  const shift = base ? shiftOf(measure.of(base), value) : null;
  const isBetter = shift !== null && shift > 0 === measure.isHigherBetter;
  return (
    <td className="num px-pad">
      {value === null ? <span className="text-fg-3">—</span> : measure.text(value)}
      {shift !== null && shift !== 0 && (
        <span className={clsx('pl-1.5 text-label', isBetter ? 'text-ok' : 'text-err')}>{signed(shift)}</span>
      )}
    </td>
  );
}
