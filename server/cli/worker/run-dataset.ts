/** Runs a job of type dataset-run: calls the handler for each row, sends a trace with scores for it, and reports it to the gateway. */
import { z } from 'zod';
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import type { DatasetRow, WorkerGateway } from './gateway.ts';
import { callPrompt, type EvalOutcome, errorText, type Handler, type PromptOutcome } from './handler.ts';
import { type Item, itemSpans, newItemIds, textOf, traceparentOf } from './item-spans.ts';

/** What the gateway sends with the job (server/workers/dispatched-runs.ts): the data of the original client library, and more. */
const jobData = z.object({
  appId: z.string(),
  runId: z.string(),
  /** Name of the run. */
  experimentId: z.string(),
  experimentKey: z.string(),
  datasetPath: z.string(),
  promptPath: z.string().nullable(),
  promptName: z.string().nullable(),
  ast: z.unknown(),
  commitSha: z.string().nullable(),
  evals: z.array(z.string()),
  concurrency: z.int().min(1).max(50),
  /** Number of rows to run, from the first; all when null. */
  rowLimit: z.int().nullable(),
});
type JobData = z.output<typeof jobData>;

/** Maximum length of each payload in the report of a row; the trace has the whole payload. */
const reportedLength = 10_000;

interface Run {
  job: JobData;
  handler: Handler;
  gateway: WorkerGateway;
  /** One JSON value per line. */
  reportRow: (line: object) => void;
  signal: AbortSignal;
}

/** @throws Error when the run cannot continue; a failing row is only reported */
export async function runDataset(data: unknown, parts: Omit<Run, 'job'>): Promise<void> {
  const stop = new AbortController();
  const run: Run = { ...parts, job: jobData.parse(data), signal: AbortSignal.any([parts.signal, stop.signal]) };
  const { appId, datasetPath, evals, rowLimit, concurrency } = run.job;
  const missing = evals.filter((name) => !Object.hasOwn(run.handler.evals, name));
  if (missing.length > 0) throw new Error(`The handler has no eval ${missing.join(', ')}`);
  const all = await run.gateway.rows(appId, datasetPath, run.signal);
  const rows = rowLimit === null ? all : all.slice(0, rowLimit);
  run.reportRow({ type: 'start', rows: rows.length });
  const next = rows.entries();
  const runRows = async () => {
    for (const [index, row] of next) {
      run.signal.throwIfAborted();
      await runRow(run, row, index);
    }
  };
  const runners = Array.from({ length: Math.min(concurrency, rows.length) }, runRows);
  try {
    await Promise.all(runners);
  } finally {
    // If one row could not be sent, the others cannot either.
    stop.abort('The run has ended');
    await Promise.allSettled(runners);
  }
}

async function runRow(run: Run, row: DatasetRow, index: number): Promise<void> {
  const { job, handler, gateway, signal } = run;
  const ids = newItemIds();
  const startMs = Date.now();
  let outcome: PromptOutcome | null = null;
  let error: string | null = null;
  try {
    const prompt = job.promptPath === null ? null : { path: job.promptPath, ast: job.ast };
    outcome = await callPrompt(handler, { ...row, prompt, traceparent: traceparentOf(ids), signal });
  } catch (thrown) {
    signal.throwIfAborted();
    error = errorText(thrown);
  }
  const scores = outcome ? await scoresOf(run, row, outcome.result, ids.traceId) : [];
  const { runId, experimentId: runName, datasetPath: dataset, experimentKey, commitSha, promptName } = job;
  const runFields = { runId, runName, dataset, experimentKey, commitSha, promptName };
  const { input, expected_output: expectedOutput } = row;
  const item: Item = { ...runFields, ids, index, input, expectedOutput, startMs, endMs: Date.now(), outcome, error };
  await gateway.sendSpans(job.appId, itemSpans(item), signal);
  await gateway.sendScores(job.appId, scores, signal);
  run.reportRow(reportOf(item, scores));
}

async function scoresOf({ job, handler, signal }: Run, row: DatasetRow, output: unknown, resource_id: string): Promise<ScoreDraft[]> {
  const scores: ScoreDraft[] = [];
  for (const name of job.evals) {
    const evaluate = handler.evals[name] as Handler['evals'][string];
    try {
      scores.push({ resource_id, name, source: 'experiment', ...scoreOf(await evaluate({ ...row, output, signal })) });
    } catch (error) {
      signal.throwIfAborted();
      // A failing eval gives no score: record the error in its place.
      scores.push({ resource_id, name, source: 'experiment', score: 0, label: 'ERROR', reason: errorText(error) });
    }
  }
  return scores;
}

function scoreOf(outcome: EvalOutcome): Pick<ScoreDraft, 'score' | 'label' | 'reason'> {
  const {
    score,
    passed,
    label,
    reason = '',
  } = typeof outcome === 'number' ? { score: outcome } : typeof outcome === 'boolean' ? { passed: outcome } : outcome;
  const value = score ?? (passed === undefined ? Number.NaN : Number(passed));
  if (!Number.isFinite(value)) throw new Error('An eval must return a number, a boolean, or an object with score or passed');
  return { score: value, label: label ?? (passed === undefined ? '' : passed ? 'PASS' : 'FAIL'), reason };
}

function reportOf({ ids, runId, runName, index, input, expectedOutput, outcome, error }: Item, scores: ScoreDraft[]): object {
  if (error !== null) return { type: 'error', error: error.slice(0, reportedLength), index, traceId: ids.traceId, runId, runName };
  const cut = (value: unknown) => textOf(value).slice(0, reportedLength);
  const evals = scores.map(({ name, score, label, reason }) => ({ name, score, label, reason: reason.slice(0, reportedLength) }));
  const tokens = (outcome?.usage?.inputTokens ?? 0) + (outcome?.usage?.outputTokens ?? 0);
  const result = {
    input: cut(input),
    ...(expectedOutput === null ? {} : { expectedOutput: cut(expectedOutput) }),
    actualOutput: cut(outcome?.result),
    ...(tokens > 0 ? { tokens } : {}),
    evals,
  };
  return { type: 'dataset', result, index, traceId: ids.traceId, runId, runName };
}
