import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, truncateTexts } from '../trace/truncate-texts.ts';
import { searchJson, searchText } from './json-search.ts';
import { formatPath, JsonTree } from './json-tree.ts';
import { TextLines } from './text-lines.ts';

const names = (tree: JsonTree) => tree.rows(0, tree.count).map(({ name }) => name);

describe('a value as rows', () => {
  it('expands and collapses, and knows the path of each row', () => {
    const tree = new JsonTree({ a: { b: [1, 'x'] }, c: null });
    expect(names(tree)).toEqual(['', 'a', 'c']);
    tree.toggle(1);
    expect(names(tree)).toEqual(['', 'a', 'b', 'c']);
    tree.toggle(2);
    expect(tree.path(4)).toEqual(['a', 'b', 1]);
    expect(tree.value(4)).toBe('x');
    tree.toggle(1);
    expect(names(tree)).toEqual(['', 'a', 'c']);
  });

  it('expands a list of a million items as a thousand ranges, and finds one item', () => {
    const tree = new JsonTree(Array.from({ length: 1_000_000 }, (_, i) => i));
    expect(tree.count).toBe(1001);
    const row = tree.reveal([654_321]);
    expect(tree.value(row)).toBe(654_321);
    expect(tree.path(row)).toEqual([654_321]);
    expect(tree.count).toBe(2001);
  });

  it('reveals every value by its path', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const tree = new JsonTree(value);
        for (const path of searchJson(value, '')) {
          if (!path) continue;
          const row = tree.reveal(path);
          expect(tree.path(row)).toEqual(path);
          expect(tree.value(row)).toEqual(at(value, path));
        }
      }),
    );
  });

  it('expands to a level, up to the row limit', () => {
    const tree = new JsonTree({ a: { b: { c: 1 } } });
    tree.openTo(2);
    expect(names(tree)).toEqual(['', 'a', 'b']);
    const wide = new JsonTree(Array.from({ length: 900 }, () => [1, 2, 3]));
    wide.openTo(9, 1000);
    expect(wide.count).toBeLessThan(1010);
  });

  it('writes a path as JSONPath', () => {
    expect(formatPath(['messages', 3, 'content-type', '__proto__'])).toBe('$.messages[3]["content-type"].__proto__');
  });
});

describe('search', () => {
  it('finds keys and values without case, in reading order', () => {
    const found = [...searchJson({ Alpha: 1, b: ['xALPHAx', { c: 'no' }] }, 'alpha')];
    expect(found).toEqual([['Alpha'], ['b', 0]]);
  });

  it('finds every match in a text', () => {
    expect([...searchText('aXbXc', 'x')]).toEqual([1, 3]);
  });
});

describe('lines of a text', () => {
  it('contain every character once, and split no surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 2000 }), (text) => {
        const lines = new TextLines(text);
        const rows = lines.rows(0, lines.count);
        expect(rows.every((row) => row.text.isWellFormed())).toBe(true);
        expect(
          rows
            .map((row) => row.text)
            .join('')
            .replaceAll('\n', ''),
        ).toBe(text.replaceAll('\n', ''));
      }),
    );
  });

  it('find the row of a position', () => {
    const lines = new TextLines('one\ntwo\nthree');
    expect([0, 3, 4, 8, 12].map((place) => lines.rowAt(place))).toEqual([0, 0, 1, 2, 2]);
  });
});

it('truncates only long texts, and reports their paths and sizes', () => {
  const long = 'x'.repeat(9000);
  const { value, cuts } = truncateTexts({ a: [long, 'short'], n: 1 }, 5000);
  expect(cuts).toEqual([{ path: ['a', 0], size: 9000 }]);
  expect(value).toEqual({ a: [`${'x'.repeat(4000)}…`, 'short'], n: 1 });
});
