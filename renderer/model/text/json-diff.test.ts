import { expect, it } from 'vitest';
import { jsonDiff, jsonOf } from './json-diff.ts';

it('lists what was added, removed and changed, with paths', () => {
  expect(jsonDiff({ a: 1, b: { c: [1, 2] }, d: 'x' }, { a: 1, b: { c: [1, 3, 4] }, e: null })).toEqual([
    { kind: 'changed', path: 'b.c[1]', before: 2, after: 3 },
    { kind: 'added', path: 'b.c[2]', after: 4 },
    { kind: 'removed', path: 'd', before: 'x' },
    { kind: 'added', path: 'e', after: null },
  ]);
});

it('equal values have no changes, and another type is one change', () => {
  expect(jsonDiff({ a: [{}] }, { a: [{}] })).toEqual([]);
  expect(jsonDiff([1], { 0: 1 })).toEqual([{ kind: 'changed', path: '', before: [1], after: { 0: 1 } }]);
});

it('only objects and lists are read as JSON', () => {
  expect([jsonOf('{"a":1}'), jsonOf(' [1]'), jsonOf('7'), jsonOf('{a'), jsonOf('words')]).toEqual([
    { a: 1 },
    [1],
    undefined,
    undefined,
    undefined,
  ]);
});
