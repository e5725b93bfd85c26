/** What some runs took, cost and scored. */
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { median } from '../../../shared/median.ts';

export interface RunFigures {
  failed: number;
  withErrors: number;
  /** Milliseconds; null without runs. */
  medianMs: number | null;
  /** Dollars for each run; null without runs. */
  meanCost: number | null;
  /** Mean of each score, by name. */
  scores: Map<string, number>;
}

type Run = Pick<ListedTrace, 'status' | 'error_count' | 'latency_ms' | 'cost' | 'scores'>;

export function runFigures(runs: readonly Run[]): RunFigures {
  const scores = Map.groupBy(
    runs.flatMap((run) => run.scores),
    ({ name }) => name,
  );
  return {
    failed: runs.filter(({ status }) => status === 'ERROR').length,
    withErrors: runs.filter(({ status, error_count }) => status !== 'ERROR' && error_count > 0).length,
    medianMs: median(runs.map(({ latency_ms }) => latency_ms)),
    meanCost: runs.length === 0 ? null : sum(runs.map(({ cost }) => cost)) / runs.length,
    scores: new Map([...scores].map(([name, list]) => [name, sum(list.map(({ score }) => score)) / list.length])),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
