/**
 * What gateway and worker say to each other over the socket of workers (docs/reference/jobs.md#frames): one JSON object in each text
 * frame. Published nowhere: both ends are ours, or follow the shapes of the client library of old. What is not one of these is passed
 * over, by either end.
 */
import { z } from 'zod';

const jobId = z.string().min(1).max(128);

/** Of a job that answers in one piece. `result` is text, or what the type says: pictures, sound, names of evals as JSON text. */
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
  /** Lines of JSON, of which the last may go on in the next chunk. */
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

/** Reason of the close (1000) of a worker that another one of the same app took the place of. It must not come back by itself. */
export const replacedReason = 'Replaced by new connection';

/** The JSON of a frame as one of these; null for everything else. */
export function readFrame<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
