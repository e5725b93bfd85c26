/** Labels of workspaces and runs. */
import { duration } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import type { Run, Workspace } from './coding-agents-query.ts';

type Tone = 'plain' | 'err' | 'ok' | 'warm';

const runStates: Record<Run['status'], { word: string; tone: Tone }> = {
  queued: { word: 'Queued', tone: 'plain' },
  running: { word: 'Running', tone: 'warm' },
  succeeded: { word: 'Succeeded', tone: 'ok' },
  failed: { word: 'Failed', tone: 'err' },
  cancelled: { word: 'Cancelled', tone: 'plain' },
};

export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'queued' || status === 'running';

export const stateOf = (run: Run): { word: string; tone: Tone } =>
  isOpen(run) && run.cancel_requested_at ? { word: 'Cancelling', tone: 'warm' } : runStates[run.status];

const workspaceStates: Record<Workspace['status'], { word: string; tone: Tone }> = {
  idle: { word: 'Idle', tone: 'plain' },
  busy: { word: 'Busy', tone: 'warm' },
  closed: { word: 'Closed', tone: 'plain' },
};

export const stateOfWorkspace = ({ status }: Workspace) => workspaceStates[status];

/** First line of a task that is not blank. */
export const titleOf = ({ task_prompt }: Pick<Run, 'task_prompt'>): string =>
  task_prompt
    .split('\n')
    .map((line) => line.trim())
    .find(Boolean) ?? 'Empty task';

export const nameOf = ({ name, id }: Workspace): string => name ?? `Workspace ${id.slice(0, 8)}`;

/** Run time of the agent; null before it has ended. */
export function durationOf({ started_at, completed_at }: Run): string | null {
  if (started_at === null || completed_at === null) return null;
  return duration(milliseconds(Math.max(0, Date.parse(completed_at) - Date.parse(started_at))));
}
