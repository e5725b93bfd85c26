import { expect, it } from 'vitest';
import { percent } from '../../model/text/format.ts';
import { nameOf, passRate, stateOf } from './words.ts';

const future = new Date(2e12).toISOString();

it('a run shows its status, and that it is abandoned when its key has expired', () => {
  const labelOf = (status: 'queued' | 'running' | 'succeeded' | 'failed', key_expires_at: string | null) =>
    stateOf({ status, key_expires_at }, 1e12).word;
  expect([labelOf('queued', future), labelOf('running', future)]).toEqual(['Queued', 'Running']);
  expect([labelOf('succeeded', null), labelOf('failed', null)]).toEqual(['Succeeded', 'Failed']);
  expect([labelOf('queued', null), labelOf('running', new Date(1e12).toISOString())]).toEqual(['Abandoned', 'Abandoned']);
});

it('a run without a name is named by its id, and one without trials has no pass rate', () => {
  expect([nameOf({ name: 'nightly', id: 'x' }), nameOf({ name: null, id: '0123456789' })]).toEqual(['nightly', 'Run 01234567']);
  expect(passRate({ passed: 0, failed: 0, error: 0, total: 0 })).toBeNull();
  expect(passRate({ passed: 1, failed: 1, error: 0, total: 2 })).toBe(percent(0.5));
});
