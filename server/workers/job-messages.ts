/**
 * What two gateways say about a job, when one of them has the socket of the worker and the other one the job: one signed POST, whose answer is
 * a line of JSON for each message and ends with the result or the failure. Closing the request cancels the job.
 */
import { z } from 'zod';
import { jobRequest, jobResult } from '../../shared/worker-frames.ts';
import { jobErrorKinds } from './connection-registry.ts';
import { frameBytesMax } from './worker-connection.ts';

export const jobsPath = '/internal/v1/jobs';
/** A job fills a frame at most. */
export const postBytesMax = frameBytesMax + 16 * 1024;
/** Pause between two messages of a holder that has nothing to say. */
export const aliveEveryMs = 5_000;

const id = z.string().min(1).max(128);

/** Body of the request. */
export const postedJob = z.strictObject({
  /** Process that has the socket. Another one may have its address by now. */
  to: z.uuid(),
  scope: z.strictObject({ tenant_id: id, app_id: id }),
  id,
  request: jobRequest,
  silenceMs: z.int().positive(),
});
export type PostedJob = z.output<typeof postedJob>;

export const fromHolder = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('alive') }),
  z.strictObject({ type: z.literal('line'), line: z.unknown() }),
  z.strictObject({ type: z.literal('result'), result: jobResult }),
  z.strictObject({ type: z.literal('failure'), errorKind: z.enum(jobErrorKinds), message: z.string() }),
]);
export type FromHolder = z.output<typeof fromHolder>;
