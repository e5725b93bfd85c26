import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { DurableFile } from './durable-file.ts';
import { openSettings } from './settings.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-kept-'));
  path = join(home, 'desktop.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const fields = { colour: z.enum(['red', 'blue']).default('red'), count: z.int().default(1) };
const open = (migrations = {}) => new DurableFile(path, { fields, now: () => 7, ...migrations });

test('a missing file is the defaults, and nothing is written', () => {
  expect(open().values).toEqual({ colour: 'red', count: 1 });
  expect(readdirSync(home)).toEqual([]);
});

test('a change survives a restart, in a file that only its owner can read', () => {
  open().change({ count: 5 });
  expect(open().values).toEqual({ colour: 'red', count: 5 });
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readdirSync(home)).toEqual(['desktop.json']);
});

test.each([
  ['half a file', '{"version":1,"colour":"bl'],
  ['nothing', ''],
  ['no object', '[1,2]'],
  ['no version', '{"colour":"blue"}'],
  ['noise', '\u0000\u0001'],
])('%s is set aside unchanged, and the defaults apply', (_, text) => {
  writeFileSync(path, text);
  const file = open();
  expect(file.values).toEqual({ colour: 'red', count: 1 });
  expect(file.setAside).toBe(`${path}.unread-7`);
  file.change({ count: 2 });
  expect(readFileSync(`${path}.unread-7`, 'utf8')).toBe(text);
  expect(open().values.count).toBe(2);
});

test('a file with an invalid field keeps its valid ones, and a copy is set aside', () => {
  writeFileSync(path, '{"version":1,"colour":"green","count":9}');
  const file = open();
  expect(file.values).toEqual({ colour: 'red', count: 9 });
  expect(readFileSync(file.setAside as string, 'utf8')).toContain('green');
});

test('an older file goes through every later migration, and a newer one is set aside before it is overwritten', () => {
  const migrations = [
    ({ color, ...rest }: Record<string, unknown>) => ({ ...rest, colour: color }),
    ({ count, ...rest }: Record<string, unknown>) => ({ ...rest, count: Number(count) * 2 }),
  ];
  writeFileSync(path, '{"version":1,"color":"blue","count":"4"}');
  const file = open({ migrations });
  expect([file.values, file.setAside]).toEqual([{ colour: 'blue', count: 8 }, null]);
  file.change({});
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 3, colour: 'blue', count: 8 });
  expect(open().setAside).toBe(`${path}.unread-7`);
});

test('a file left by an interrupted write is no error', () => {
  writeFileSync(`${path}.new`, '{"versi');
  open().change({ count: 3 });
  expect(open().values.count).toBe(3);
});

test('a change that cannot be written leaves everything as it was', () => {
  const file = open();
  file.change({ count: 2 });
  rmSync(home, { recursive: true });
  writeFileSync(home, '');
  expect(() => file.change({ count: 3 })).toThrow();
  expect(file.values.count).toBe(2);
});

test('the settings open whatever their file contains, and every value is valid', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.dictionary(fc.constantFrom('version', 'theme', 'zoom', 'project', '__proto__'), fc.jsonValue()).map((x) => JSON.stringify(x)),
      ),
      (text) => {
        writeFileSync(path, text);
        const { values } = openSettings(path);
        expect(['system', 'light', 'dark']).toContain(values.theme);
        expect(Math.abs(values.zoom)).toBeLessThanOrEqual(6);
        expect(values.project === null || typeof values.project === 'string').toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
