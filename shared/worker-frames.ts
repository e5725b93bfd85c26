/**
 * The messages of gateway and worker on the worker socket (docs/reference/jobs.md#frames): one JSON object in each text frame. Not
 * published: both ends are ours, or follow the messages of the original client library. Either end ignores any other message.
 */
import { z } from 'zod';

const jobId = z.string().min(1).max(128);

/** The result of a job that answers in one message. `result` is text, or what `type` says: images, audio, names of evals as JSON text. */
export const jobResult = z.looseObject({
  type: z.string(),
  result: z.unknown(),
  traceId: z.string().optional(),
  usage: z.unknown().optional(),
});
export type JobResult = z.output<typeof jobResult>;

export const fromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('heartbeat'), timestamp: z.string().optional() }),
  z.object({ type: z.literal('job-result'), jobId, result: jobResult }),
  /** Lines of JSON; the last one may continue in the next chunk. */
  z.object({ type: z.literal('job-stream-chunk'), jobId, chunk: z.string() }),
  z.object({ type: z.literal('job-stream-end'), jobId, traceId: z.string().optional() }),
  z.object({ type: z.literal('job-error'), jobId, error: z.string(), details: z.unknown().optional() }),
]);
export type FromWorker = z.output<typeof fromWorker>;

export const jobRequest = z.object({
  type: z.enum(['prompt-run', 'dataset-run', 'get-evals']),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type JobRequest = z.output<typeof jobRequest>;

export const fromGateway = z.discriminatedUnion('type', [
  z.object({ type: z.literal('heartbeat-ack'), timestamp: z.string() }),
  z.object({ type: z.literal('job'), jobId, request: jobRequest }),
  z.object({ type: z.literal('job-cancel'), jobId, reason: z.string() }),
]);
export type FromGateway = z.output<typeof fromGateway>;

/** Close reason (code 1000) for a worker that another worker of the same app has replaced. It must not reconnect by itself. */
export const replacedReason = 'Replaced by new connection';

/** Parses the JSON of a frame; null when it does not match the schema. */
export function readFrame<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
