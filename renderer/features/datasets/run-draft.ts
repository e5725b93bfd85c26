/** Draft of an experiment, as the gateway accepts it. */

import type { RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';

export type RunDraft = RouteInput<Contract['experimentRuns']['start']>['body'];

export interface TypedRun {
  name: string;
  prompt: string;
  concurrency: string;
  rows: string;
  evals: ReadonlySet<string>;
}

const concurrencyMax = 50;

const numberOf = (typed: string): number | null => (/^\d{1,7}$/.test(typed.trim()) ? Number(typed) : null);

/** Problems by field; empty for a valid draft. */
export function problemsOf({ prompt, concurrency, rows }: TypedRun): Partial<Record<'prompt' | 'concurrency' | 'rows', string>> {
  const problems: ReturnType<typeof problemsOf> = {};
  const atOnce = numberOf(concurrency);
  if (prompt.trim() !== '' && !prompt.trim().endsWith('.prompt.mdx')) problems.prompt = 'Ends in .prompt.mdx.';
  if (atOnce === null || atOnce < 1 || atOnce > concurrencyMax) problems.concurrency = `A number from 1 to ${concurrencyMax}.`;
  if (rows.trim() !== '' && !numberOf(rows)) problems.rows = 'A number from 1 on.';
  return problems;
}

export const draftOf = (dataset: string, { name, prompt, concurrency, rows, evals }: TypedRun): RunDraft => ({
  dataset,
  evals: [...evals],
  concurrency: Number(concurrency),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(prompt.trim() === '' ? {} : { prompt: prompt.trim() }),
  ...(rows.trim() === '' ? {} : { row_limit: Number(rows) }),
});
