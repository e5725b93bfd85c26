/** A job of type dataset-run: each row through the handler, each as a trace with its scores, each told to the gateway as it is done. */
import { z } from 'zod';
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import type { DatasetRow, WorkerGateway } from './gateway.ts';
import { callPrompt, type EvalOutcome, errorText, type Handler, type PromptOutcome } from './handler.ts';
import { type Item, itemSpans, newItemIds, textOf, traceparentOf } from './item-spans.ts';

/** What the gateway sends with the job (server/workers/dispatched-runs.ts); what the client library of old was sent, with more. */
const order = z.object({
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
  /** The first so many rows; all when null. */
  rowLimit: z.int().nullable(),
});
type Order = z.output<typeof order>;

/** Of each payload in a line about a row: the whole of it is in the trace. */
const shownLength = 10_000;

interface Run {
  order: Order;
  handler: Handler;
  gateway: WorkerGateway;
  /** One value a line. */
  tellRow: (line: object) => void;
  signal: AbortSignal;
}

/** @throws Error when the run cannot go on; a row that fails is told and is no reason not to */
export async function runDataset(data: unknown, parts: Omit<Run, 'order'>): Promise<void> {
  const halt = new AbortController();
  const run: Run = { ...parts, order: order.parse(data), signal: AbortSignal.any([parts.signal, halt.signal]) };
  const { appId, datasetPath, evals, rowLimit, concurrency } = run.order;
  const missing = evals.filter((name) => !Object.hasOwn(run.handler.evals, name));
  if (missing.length > 0) throw new Error(`The handler has no eval ${missing.join(', ')}`);
  const all = await run.gateway.rows(appId, datasetPath, run.signal);
  const rows = rowLimit === null ? all : all.slice(0, rowLimit);
  run.tellRow({ type: 'start', rows: rows.length });
  const next = rows.entries();
  const work = async () => {
    for (const [index, row] of next) {
      run.signal.throwIfAborted();
      await runRow(run, row, index);
    }
  };
  const working = Array.from({ length: Math.min(concurrency, rows.length) }, work);
  try {
    await Promise.all(working);
  } finally {
    // What one row could not send, the others cannot either.
    halt.abort('The run has ended');
    await Promise.allSettled(working);
  }
}

async function runRow(run: Run, row: DatasetRow, index: number): Promise<void> {
  const { order, handler, gateway, signal } = run;
  const ids = newItemIds();
  const startMs = Date.now();
  let outcome: PromptOutcome | null = null;
  let error: string | null = null;
  try {
    const prompt = order.promptPath === null ? null : { path: order.promptPath, ast: order.ast };
    outcome = await callPrompt(handler, { ...row, prompt, traceparent: traceparentOf(ids), signal });
  } catch (thrown) {
    signal.throwIfAborted();
    error = errorText(thrown);
  }
  const scores = outcome ? await scoresOf(run, row, outcome.result, ids.traceId) : [];
  const { runId, experimentId: runName, datasetPath: dataset, experimentKey, commitSha, promptName } = order;
  const about = { runId, runName, dataset, experimentKey, commitSha, promptName };
  const { input, expected_output: expectedOutput } = row;
  const item: Item = { ...about, ids, index, input, expectedOutput, startMs, endMs: Date.now(), outcome, error };
  await gateway.sendSpans(order.appId, itemSpans(item), signal);
  await gateway.sendScores(order.appId, scores, signal);
  run.tellRow(lineOf(item, scores));
}

async function scoresOf({ order, handler, signal }: Run, row: DatasetRow, output: unknown, resource_id: string): Promise<ScoreDraft[]> {
  const scores: ScoreDraft[] = [];
  for (const name of order.evals) {
    const judge = handler.evals[name] as Handler['evals'][string];
    try {
      scores.push({ resource_id, name, source: 'experiment', ...scoreOf(await judge({ ...row, output, signal })) });
    } catch (error) {
      signal.throwIfAborted();
      // A judge that fails has not judged; why stands in its place.
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
  if (!Number.isFinite(value)) throw new Error('An eval gives a number, a truth, or an object with score or passed');
  return { score: value, label: label ?? (passed === undefined ? '' : passed ? 'PASS' : 'FAIL'), reason };
}

function lineOf({ ids, runId, runName, index, input, expectedOutput, outcome, error }: Item, scores: ScoreDraft[]): object {
  if (error !== null) return { type: 'error', error: error.slice(0, shownLength), index, traceId: ids.traceId, runId, runName };
  const cut = (value: unknown) => textOf(value).slice(0, shownLength);
  const evals = scores.map(({ name, score, label, reason }) => ({ name, score, label, reason: reason.slice(0, shownLength) }));
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
