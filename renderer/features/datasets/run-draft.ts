/** Draft of an experiment: form fields, their validation, and the request made from them. */

import type { RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';

export type RunDraft = RouteInput<Contract['experimentRuns']['start']>['body'];

export interface RunFields {
  name: string;
  prompt: string;
  concurrency: string;
  rows: string;
  evals: ReadonlySet<string>;
}

const concurrencyMax = 50;

const numberOf = (typed: string): number | null => (/^\d{1,7}$/.test(typed.trim()) ? Number(typed) : null);

/** Problems by field; empty for a valid draft. */
export function problemsOf({ prompt, concurrency, rows }: RunFields): Partial<Record<'prompt' | 'concurrency' | 'rows', string>> {
  const problems: ReturnType<typeof problemsOf> = {};
  const rowsAtOnce = numberOf(concurrency);
  if (prompt.trim() !== '' && !prompt.trim().endsWith('.prompt.mdx')) problems.prompt = 'Must end in .prompt.mdx.';
  if (rowsAtOnce === null || rowsAtOnce < 1 || rowsAtOnce > concurrencyMax)
    problems.concurrency = `Enter a number from 1 to ${concurrencyMax}.`;
  if (rows.trim() !== '' && !numberOf(rows)) problems.rows = 'Enter a number of at least 1.';
  return problems;
}

export const draftOf = (dataset: string, { name, prompt, concurrency, rows, evals }: RunFields): RunDraft => ({
  dataset,
  evals: [...evals],
  concurrency: Number(concurrency),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(prompt.trim() === '' ? {} : { prompt: prompt.trim() }),
  ...(rows.trim() === '' ? {} : { row_limit: Number(rows) }),
});
