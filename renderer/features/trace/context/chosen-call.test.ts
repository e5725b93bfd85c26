import { expect, it } from 'vitest';
import { chosenCall } from './chosen-call.ts';

const range = (from: number, to: number) => ({ from, to });

it('the chosen call is always in the range of calls that is drawn', () => {
  expect(chosenCall({ calls: '10-30', call: 20 }, 100, 99)).toEqual({ index: 19, range: range(9, 29) });
  expect(chosenCall({ calls: '10-30', call: 40 }, 100, 99)).toEqual({ index: 39, range: range(19, 39) });
  expect(chosenCall({ calls: '10-30', call: 2 }, 100, 99)).toEqual({ index: 1, range: range(1, 21) });
  // Following chooses the last call, however many there are.
  expect(chosenCall({ calls: '10-30', call: 100_000 }, 100, 99)).toEqual({ index: 99, range: range(79, 99) });
});

it('without a chosen call the range holds, and the nearest call in it is chosen', () => {
  expect(chosenCall({ calls: '10-30' }, 100, 70)).toEqual({ index: 29, range: range(9, 29) });
  expect(chosenCall({ calls: '10-30' }, 100, 15)).toEqual({ index: 15, range: range(9, 29) });
  expect(chosenCall({}, 100, 70)).toEqual({ index: 70, range: range(0, 99) });
});

it('a range that cannot be is not taken', () => {
  for (const calls of ['30-10', '0-5', '90-400', 'x-y', '3'])
    expect(chosenCall({ calls }, 100, 0).range).toEqual(calls === '3' ? range(2, 99) : range(0, 99));
  expect(chosenCall({ calls: '1-5' }, 20, 0).range).toEqual(range(0, 19));
});
