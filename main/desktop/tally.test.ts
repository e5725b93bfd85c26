import { expect, it } from 'vitest';
import { Tally } from './tally.ts';

it('counts what is different, whatever comes how often in between', () => {
  const tally = new Tally();
  for (let at = 0; at < 50_000; at++) {
    tally.add(`trace ${at}`);
    tally.add(`trace ${Math.max(0, at - 100)}`);
    tally.add('a long run');
  }
  expect(tally.count).toBe(50_001);
});
