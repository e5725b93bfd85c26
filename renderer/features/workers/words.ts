/** Workspaces and runs in words. */
import { duration } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import type { Run, Workspace } from './workers-query.ts';

type Tone = 'plain' | 'err' | 'ok' | 'warm';

const runStates: Record<Run['status'], { word: string; tone: Tone }> = {
  queued: { word: 'waiting for its place', tone: 'plain' },
  running: { word: 'running', tone: 'warm' },
  succeeded: { word: 'succeeded', tone: 'ok' },
  failed: { word: 'failed', tone: 'err' },
  cancelled: { word: 'cancelled', tone: 'plain' },
};

export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'queued' || status === 'running';

export const stateOf = (run: Run): { word: string; tone: Tone } =>
  isOpen(run) && run.cancel_requested_at ? { word: 'being cancelled', tone: 'warm' } : runStates[run.status];

const workspaceStates: Record<Workspace['status'], { word: string; tone: Tone }> = {
  idle: { word: 'idle', tone: 'plain' },
  busy: { word: 'at work', tone: 'warm' },
  closed: { word: 'closed', tone: 'plain' },
};

export const stateOfWorkspace = ({ status }: Workspace) => workspaceStates[status];

/** The first line of a task. */
export const titleOf = ({ task_prompt }: Pick<Run, 'task_prompt'>): string =>
  task_prompt
    .split('\n')
    .map((line) => line.trim())
    .find(Boolean) ?? 'An empty task';

export const nameOf = ({ name, id }: Workspace): string => name ?? `Workspace ${id.slice(0, 8)}`;

/** How long the agent took; null before it has ended. */
export function tookOf({ started_at, completed_at }: Run): string | null {
  if (started_at === null || completed_at === null) return null;
  return duration(milliseconds(Math.max(0, Date.parse(completed_at) - Date.parse(started_at))));
}
