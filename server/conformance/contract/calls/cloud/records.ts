/** What the calls to routes of the cloud have in common. */
import type { Call, Trigger } from '../../trigger.ts';

/** No plan allows anything there: no alerts, no spans, no app more than there is. No git host is set up. */
export const modest = 'on a modest plan';
/** Nothing more may be stored. */
export const capped = 'at its storage cap';
/** Nothing that it keeps for teams gets onto the disk. */
export const fullControl = 'with a full control store';
/** Something is being done with the environment. */
export const busy = 'while an environment changes';
/** Environments cannot be hosted. */
export const unhostable = 'where nothing can be hosted';
/** A worker is connected, and an experiment was given to it; the same with a full control store; one is connected that fails. */
export const manned = 'with a worker';
export const mannedFull = 'with a worker and a full control store';
export const ill = 'with a worker that fails';

/** No record has it. */
export const none = '00000000-0000-4000-8000-000000000000';

/** The same request about a record that there is not. */
export const missing = (request: { call: Call } & Partial<Trigger>, param: string, code: string): Trigger => ({
  ...request,
  params: { ...request.params, [param]: none },
  status: 404,
  code,
});

const gone = { status: 204, type: '' } as const;
/** What is deleted is there once. */
export const deleted = (call: Call, params: Record<string, string>, code: string): Trigger[] => [
  { call, params, ...gone },
  { call, params, status: 404, code },
];
