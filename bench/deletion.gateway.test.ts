/** A short run of the search for what deleted traces leave; `npm run test:hostile -- deletion` runs it on more spans. */
import { expect, test } from 'vitest';
import { runDeletion } from './deletion/run-deletion.ts';

test('nothing of traces that a filter deleted is in any answer or file, and the others are as if those had never been sent', async () => {
  const { counted, expected, before, after, stopped, ...result } = await runDeletion({ spans: 600, log: () => {} });
  expect(counted).toEqual(expected);
  expect(counted).toMatchObject({ traces: 30, forwarded: [{ name: 'acme', traces: 3 }] });
  expect(before.places).toEqual(expect.arrayContaining(['block.data', 'term.value', 'trace.tags', 'score.reason']));
  expect(result).toMatchObject({ found: [], different: [], lostAtDestination: [] });
  expect(result.compared).toBeGreaterThan(50);
  for (const { places, counts } of [after, stopped]) {
    expect(places).toEqual([]);
    expect(counts).toMatchObject({ 'deleted words': 0, 'deleted ids': 0, 'deleted ids in hex': 0 });
    expect(counts['other words']).toBeGreaterThan(0);
  }
});
