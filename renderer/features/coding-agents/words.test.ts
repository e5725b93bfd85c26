import { expect, it } from 'vitest';
import type { Run } from './coding-agents-query.ts';
import { durationOf, stateOf, titleOf } from './words.ts';

const run = (change: Partial<Run>): Run => ({
  ...{ run_id: 'r', environment_id: null, turn_index: 0, status: 'running', task_prompt: 't', repo: null, work_branch: null },
  ...{ result: null, error: null, cost_usd: null, checkpoint: null, cancel_requested_at: null, url: '' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, completed_at: null },
  ...change,
});

it('a run that is being cancelled says so until it has ended', () => {
  const cancel_requested_at = '2026-01-01T00:00:00.000Z';
  expect(stateOf(run({ cancel_requested_at })).word).toBe('Cancelling');
  expect(stateOf(run({ cancel_requested_at, status: 'cancelled' })).word).toBe('Cancelled');
});

it('the title of a task is its first line that is not blank', () => {
  expect(titleOf({ task_prompt: '\n  \n  Mend the owls\nwith care' })).toBe('Mend the owls');
  expect(titleOf({ task_prompt: ' ' })).toBe('Empty task');
});

it('only a run that has started and ended has a duration', () => {
  expect(durationOf(run({ completed_at: '2026-01-01T00:00:02.000Z' }))).toBeNull();
  expect(durationOf(run({ started_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:02.500Z' }))).toMatch(/^2\.50?\ss$/);
});
