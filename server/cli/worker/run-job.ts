/** Runs jobs of every type with the handler, and sends their results as frames (docs/reference/jobs.md#frames). */
import type { JobRequest, JobResult } from '../../../shared/worker-frames.ts';
import type { SendFrame } from './connection.ts';
import type { WorkerGateway } from './gateway.ts';
import { callPrompt, errorText, type Handler, type PromptCall } from './handler.ts';
import { runDataset } from './run-dataset.ts';

export interface JobContext {
  handler: Handler;
  gateway: WorkerGateway;
}

/** Never rejects. */
export async function runJob(
  context: JobContext,
  jobId: string,
  request: JobRequest,
  sendFrame: SendFrame,
  signal: AbortSignal,
): Promise<void> {
  const sendLine = (value: object) => sendFrame({ type: 'job-stream-chunk', jobId, chunk: `${JSON.stringify(value)}\n` });
  try {
    if (request.type === 'dataset-run') {
      await runDataset(request.data, { ...context, reportRow: sendLine, signal });
      sendFrame({ type: 'job-stream-end', jobId, traceId: '' });
    } else if (request.type === 'get-evals') sendFrame({ type: 'job-result', jobId, result: evalsOf(context.handler) });
    else await runPrompt(context.handler, jobId, request.data ?? {}, { sendFrame, sendLine, signal });
  } catch (error) {
    sendFrame({ type: 'job-error', jobId, error: errorText(error) });
  }
}

/** Sorted, as JSON text. */
const evalsOf = ({ evals }: Handler): JobResult => ({ type: 'evals', result: JSON.stringify(Object.keys(evals).sort()), traceId: '' });

interface JobOutput {
  sendFrame: SendFrame;
  sendLine: (value: object) => void;
  signal: AbortSignal;
}

async function runPrompt(
  handler: Handler,
  jobId: string,
  data: Record<string, unknown>,
  { sendFrame, sendLine, signal }: JobOutput,
): Promise<void> {
  const { ast = null, promptPath, customProps = {}, options } = data;
  const prompt = ast === null ? null : { path: typeof promptPath === 'string' ? promptPath : '', ast };
  const call: PromptCall = { input: customProps, prompt, signal };
  const shouldStream = (options as { shouldStream?: boolean } | undefined)?.shouldStream ?? false;
  const outcome = await callPrompt(handler, call, shouldStream ? (result) => sendLine({ type: 'text', result }) : undefined);
  const { result, usage, finishReason, toolCalls = [], toolResults = [] } = outcome;
  const { inputTokens, outputTokens } = usage ?? {};
  const usageCounts = usage && {
    ...{ inputTokens, outputTokens, promptTokens: inputTokens, completionTokens: outputTokens },
    totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  };
  const completion = { ...(finishReason === undefined ? {} : { finishReason }), ...(usageCounts ? { usage: usageCounts } : {}) };
  if (shouldStream) {
    if (typeof result !== 'string') sendLine({ type: 'object', result });
    if (Object.keys(completion).length > 0) sendLine({ type: 'text', ...completion });
    sendFrame({ type: 'job-stream-end', jobId, traceId: '' });
    return;
  }
  const answer = typeof result === 'string' ? { type: 'text', result, toolCalls, toolResults } : { type: 'object', result };
  sendFrame({ type: 'job-result', jobId, result: { ...answer, ...completion, traceId: '' } });
}
