import { expect } from 'vitest';
import type { ControlStore } from '../control-store.ts';
import type { RaceResult } from './guarantee.ts';

const attempts = 200;

/** All attempts start in one turn, so that they interleave wherever a store awaits. */
export async function raceOver<T>(
  stores: readonly ControlStore[],
  attempt: (control: ControlStore, index: number) => Promise<T>,
): Promise<RaceResult<T>> {
  const started = Array.from({ length: attempts }, (_, index) => attempt(stores[index % stores.length] as ControlStore, index));
  const settled = await Promise.allSettled(started);
  return {
    values: settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : [])),
  };
}

/** Expects `successes` attempts to succeed, and all others to be rejected with the error. @returns the values of those that succeeded */
export function expectSuccesses<T>({ values, errors }: RaceResult<T>, successes: number, errorName: string): T[] {
  expect(errors.filter(({ name }) => name !== errorName)).toEqual([]);
  expect([values.length, errors.length]).toEqual([successes, attempts - successes]);
  return values;
}

/** Expects one attempt to resolve with a record, or true, and all others with null, or false. @returns that result */
export function expectOneOf<T>({ values, errors }: RaceResult<T | null | false>): T {
  expect(errors).toEqual([]);
  const [won, ...more] = values.filter((value) => value !== null && value !== false);
  expect([won === undefined, more, values.length]).toEqual([false, [], attempts]);
  return won as T;
}
