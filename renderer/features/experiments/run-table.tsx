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
  /** Whether more is better. */
  isGain: boolean;
}

const measures: Measure[] = [
  { name: 'mean time', of: ({ avgLatencyMs }) => avgLatencyMs, text: (ms) => duration(milliseconds(ms)), isGain: false },
  { name: 'tokens', of: ({ totalTokens }) => totalTokens || null, text: tokens, isGain: false },
  { name: 'cost', of: ({ totalCost }) => totalCost || null, text: cost, isGain: false },
];

const scoreMeasures = (runs: readonly ExperimentDetail[]): Measure[] =>
  [...meanScores(runs.flatMap(({ items }) => items)).keys()].sort().map((name) => ({
    name,
    of: ({ items }) => meanScores(items).get(name) ?? null,
    text: scoreText,
    isGain: true,
  }));

const signed = (share: number) =>
  `${share > 0 ? '+' : '−'}${Math.abs(share * 100) < 10 ? Math.abs(share * 100).toFixed(1) : Math.round(Math.abs(share * 100))} %`;

/** Totals of each run, with the difference from the first. */
export function RunTable({ runs, onBaseline }: { runs: readonly ExperimentDetail[]; onBaseline: (id: string) => void }) {
  const [base] = runs;
  const all = [...scoreMeasures(runs), ...measures];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section aria-label="Runs" tabIndex={0} className="shrink-0 overflow-x-auto border-line border-b">
      <table className="w-full text-row">
        <thead>
          <tr className="h-row border-line border-b text-fg-3 text-label">
            <th scope="col" className="px-pad text-left font-normal">
              run
            </th>
            <th scope="col" className="px-pad text-right font-normal">
              items
            </th>
            {all.map(({ name }) => (
              <th key={name} scope="col" className="px-pad text-right font-normal">
                {name}
              </th>
            ))}
            <th scope="col" className="px-pad">
              <span className="sr-only">baseline</span>
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
              {all.map((measure) => (
                <MeasureCell key={measure.name} measure={measure} run={run} base={base === run ? undefined : base} />
              ))}
              <td className="px-pad text-right">
                {run === base ? <Text tone="dim">baseline</Text> : <Button onClick={() => onBaseline(run.id)}>Make it the baseline</Button>}
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
  const isBetter = shift !== null && shift > 0 === measure.isGain;
  return (
    <td className="num px-pad">
      {value === null ? <span className="text-fg-3">—</span> : measure.text(value)}
      {shift !== null && shift !== 0 && (
        <span className={clsx('pl-1.5 text-label', isBetter ? 'text-ok' : 'text-err')}>{signed(shift)}</span>
      )}
    </td>
  );
}
