/** Fixtures and helpers that the cloud triggers share. */
import type { Call, Trigger } from '../../trigger.ts';

/** A plan without alerts, without spans, and without another app. No git host is configured. */
export const smallPlan = 'on a small plan';
/** The storage quota is used up. */
export const capped = 'at its storage cap';
/** The disk of the control store is full. */
export const fullControl = 'with a full control store';
/** An operation of the environment is in progress. */
export const busy = 'while an environment changes';
/** Hosting fails. */
export const hostingFails = 'where hosting fails';
/** A worker is connected and runs an experiment; the same with a full control store; a worker is connected that fails. */
export const withWorker = 'with a worker';
export const withWorkerFullControl = 'with a worker and a full control store';
export const withFailingWorker = 'with a worker that fails';

/** The id of no record. */
export const none = '00000000-0000-4000-8000-000000000000';

/** The same request for a record that does not exist. */
export const missing = (request: { call: Call } & Partial<Trigger>, param: string, code: string): Trigger => ({
  ...request,
  params: { ...request.params, [param]: none },
  status: 404,
  code,
});

const noContent = { status: 204, type: '' } as const;
/** Deletes a record; a repetition is answered with 404. */
export const deleted = (call: Call, params: Record<string, string>, code: string): Trigger[] => [
  { call, params, ...noContent },
  { call, params, status: 404, code },
];
