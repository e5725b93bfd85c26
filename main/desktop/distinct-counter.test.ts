import { expect, it } from 'vitest';
import { DistinctCounter } from './distinct-counter.ts';

it('counts distinct ids, however often others repeat in between', () => {
  const counter = new DistinctCounter();
  for (let at = 0; at < 50_000; at++) {
    counter.add(`trace ${at}`);
    counter.add(`trace ${Math.max(0, at - 100)}`);
    counter.add('a long run');
  }
  expect(counter.count).toBe(50_001);
});
