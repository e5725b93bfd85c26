import { expect, it } from 'vitest';
import { steadyFacets } from './steady-facets.ts';

it('keeps the values and their order, with the latest counts', () => {
  const value = (text: string, count: number) => ({ value: text, count });
  const shown = [
    { name: 'tool' as const, values: [value('search', 9), value('fetch', 4)], more: 1 },
    { name: 'agent' as const, values: [value('scout', 2)], more: 0 },
  ];
  const latest = [{ name: 'tool' as const, values: [value('run', 5), value('fetch', 3)], more: 0 }];
  expect(steadyFacets(shown, latest)).toEqual([
    { name: 'tool', values: [value('search', 0), value('fetch', 3)], more: 1 },
    { name: 'agent', values: [value('scout', 0)], more: 0 },
  ]);
});
