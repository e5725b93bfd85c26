import { expect, it } from 'vitest';
import { stateOf, titleOf, tookOf } from './words.ts';
import type { Run } from './workers-query.ts';

const run = (change: Partial<Run>): Run => ({
  ...{ run_id: 'r', environment_id: null, turn_index: 0, status: 'running', task_prompt: 't', repo: null, work_branch: null },
  ...{ result: null, error: null, cost_usd: null, checkpoint: null, cancel_requested_at: null, url: '' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, completed_at: null },
  ...change,
});

it('a run that is to end says so until it has', () => {
  const cancel_requested_at = '2026-01-01T00:00:00.000Z';
  expect(stateOf(run({ cancel_requested_at })).word).toBe('being cancelled');
  expect(stateOf(run({ cancel_requested_at, status: 'cancelled' })).word).toBe('cancelled');
});

it('a task is called by its first line that says something', () => {
  expect(titleOf({ task_prompt: '\n  \n  Mend the owls\nwith care' })).toBe('Mend the owls');
  expect(titleOf({ task_prompt: ' ' })).toBe('An empty task');
});

it('only what has begun and ended took time', () => {
  expect(tookOf(run({ completed_at: '2026-01-01T00:00:02.000Z' }))).toBeNull();
  expect(tookOf(run({ started_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:02.500Z' }))).toMatch(/^2\.50?\ss$/);
});
