import { expect, it } from 'vitest';
import { percent } from '../../model/text/format.ts';
import { nameOf, passRate, stateOf } from './words.ts';

const soon = new Date(2e12).toISOString();

it('a run says what it is at, and that nobody can move it any more', () => {
  const wordOf = (status: 'queued' | 'running' | 'succeeded' | 'failed', key_expires_at: string | null) =>
    stateOf({ status, key_expires_at }, 1e12).word;
  expect([wordOf('queued', soon), wordOf('running', soon)]).toEqual(['queued', 'running']);
  expect([wordOf('succeeded', null), wordOf('failed', null)]).toEqual(['succeeded', 'failed']);
  expect([wordOf('queued', null), wordOf('running', new Date(1e12).toISOString())]).toEqual(['abandoned', 'abandoned']);
});

it('a run without a name has one, and one without trials no rate', () => {
  expect([nameOf({ name: 'nightly', id: 'x' }), nameOf({ name: null, id: '0123456789' })]).toEqual(['nightly', 'run 01234567']);
  expect(passRate({ passed: 0, failed: 0, error: 0, total: 0 })).toBeNull();
  expect(passRate({ passed: 1, failed: 1, error: 0, total: 2 })).toBe(percent(0.5));
});
