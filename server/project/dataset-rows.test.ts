import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RowForm, rowsOf } from './dataset-rows.ts';

function read(file: string | Uint8Array, form: RowForm = 'array'): unknown {
  const found = rowsOf(new Uint8Array(Buffer.from(file as string)), form);
  return 'bytes' in found ? Buffer.from(found.bytes).toString() : found;
}

describe('the rows of a dataset', () => {
  it.each([
    ['', '[]', ''],
    ['\n \n\t\r\n', '[]', ''],
    ['1', '[1]', '1\n'],
    ['{"a":1}\r\n\r\n[2]\n"3"\r4', '[{"a":1},[2],"3",4]', '{"a":1}\n[2]\n"3"\n4\n'],
    ['\ufeff1\n2', '[1,2]', '1\n2\n'],
  ])('of %j are its lines that are not blank', (file, array, lines) => {
    expect([read(file), read(file, 'lines')]).toEqual([array, lines]);
  });

  it.each<[file: string | Uint8Array, line: number]>([
    ['nope', 1],
    ['1\n\n{"a":}\n', 3],
    ['1\r\n2\r\n{', 3],
    ['1\n{"a":\n1}', 2],
    [Buffer.from([0x31, 0x0a, 0x22, 0xff, 0x22]), 2],
  ])('of %j are refused at line %i', (file, line) => {
    for (const form of ['array', 'lines'] as const) expect(read(file, form)).toEqual({ line, why: expect.any(String) });
  });

  it('are the written values in order, whatever their number and line endings', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\n \t\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue(), ends)), (rows) => {
        const file = rows.map(([row, end]) => JSON.stringify(row) + end).join('');
        expect(read(file)).toBe(`[${rows.map(([row]) => JSON.stringify(row)).join(',')}]`);
        expect(read(file, 'lines')).toBe(rows.map(([row]) => `${JSON.stringify(row)}\n`).join(''));
      }),
    );
  });
});
