/** Jobs of every type, through the handler. What comes of one is said in frames (docs/reference/jobs.md#frames). */
import type { JobRequest, JobResult } from '../../../shared/worker-frames.ts';
import type { WorkerGateway } from './gateway.ts';
import { callPrompt, errorText, type Handler, type PromptCall } from './handler.ts';
import type { Say } from './line.ts';
import { runDataset } from './run-dataset.ts';

export interface Working {
  handler: Handler;
  gateway: WorkerGateway;
}

/** Never rejects. */
export async function runJob(working: Working, jobId: string, request: JobRequest, say: Say, signal: AbortSignal): Promise<void> {
  const line = (value: object) => say({ type: 'job-stream-chunk', jobId, chunk: `${JSON.stringify(value)}\n` });
  try {
    if (request.type === 'dataset-run') {
      await runDataset(request.data, { ...working, tellRow: line, signal });
      say({ type: 'job-stream-end', jobId, traceId: '' });
    } else if (request.type === 'get-evals') say({ type: 'job-result', jobId, result: evalsOf(working.handler) });
    else await runPrompt(working.handler, jobId, request.data ?? {}, { say, line, signal });
  } catch (error) {
    say({ type: 'job-error', jobId, error: errorText(error) });
  }
}

/** Sorted, as text of JSON. */
const evalsOf = ({ evals }: Handler): JobResult => ({ type: 'evals', result: JSON.stringify(Object.keys(evals).sort()), traceId: '' });

interface Saying {
  say: Say;
  line: (value: object) => void;
  signal: AbortSignal;
}

async function runPrompt(handler: Handler, jobId: string, data: Record<string, unknown>, { say, line, signal }: Saying): Promise<void> {
  const { ast = null, promptPath, customProps = {}, options } = data;
  const prompt = ast === null ? null : { path: typeof promptPath === 'string' ? promptPath : '', ast };
  const call: PromptCall = { input: customProps, prompt, signal };
  const shouldStream = (options as { shouldStream?: boolean } | undefined)?.shouldStream ?? false;
  const outcome = await callPrompt(handler, call, shouldStream ? (result) => line({ type: 'text', result }) : undefined);
  const { result, usage, finishReason, toolCalls = [], toolResults = [] } = outcome;
  const { inputTokens, outputTokens } = usage ?? {};
  const used = usage && {
    ...{ inputTokens, outputTokens, promptTokens: inputTokens, completionTokens: outputTokens },
    totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  };
  const ends = { ...(finishReason === undefined ? {} : { finishReason }), ...(used ? { usage: used } : {}) };
  if (shouldStream) {
    if (typeof result !== 'string') line({ type: 'object', result });
    if (Object.keys(ends).length > 0) line({ type: 'text', ...ends });
    say({ type: 'job-stream-end', jobId, traceId: '' });
    return;
  }
  const answer = typeof result === 'string' ? { type: 'text', result, toolCalls, toolResults } : { type: 'object', result };
  say({ type: 'job-result', jobId, result: { ...answer, ...ends, traceId: '' } });
}
