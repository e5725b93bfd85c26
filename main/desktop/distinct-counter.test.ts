import { expect, it } from 'vitest';
import { DistinctCounter } from './distinct-counter.ts';

it('counts what is different, whatever comes how often in between', () => {
  const counter = new DistinctCounter();
  for (let at = 0; at < 50_000; at++) {
    counter.add(`trace ${at}`);
    counter.add(`trace ${Math.max(0, at - 100)}`);
    counter.add('a long run');
  }
  expect(counter.count).toBe(50_001);
});
