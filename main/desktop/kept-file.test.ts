import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { KeptFile } from './kept-file.ts';
import { openSettings } from './settings.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-kept-'));
  path = join(home, 'desktop.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const fields = { colour: z.enum(['red', 'blue']).default('red'), count: z.int().default(1) };
const open = (migrations = {}) => new KeptFile(path, { fields, now: () => 7, ...migrations });

test('a missing file is the defaults, and nothing is written', () => {
  expect(open().values).toEqual({ colour: 'red', count: 1 });
  expect(readdirSync(home)).toEqual([]);
});

test('what was changed is there for the next one, readable by its owner only', () => {
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
])('%s is set aside as it is, and the defaults hold', (_, text) => {
  writeFileSync(path, text);
  const kept = open();
  expect(kept.values).toEqual({ colour: 'red', count: 1 });
  expect(kept.setAside).toBe(`${path}.unread-7`);
  kept.change({ count: 2 });
  expect(readFileSync(`${path}.unread-7`, 'utf8')).toBe(text);
  expect(open().values.count).toBe(2);
});

test('of a file with a bad field the good ones are kept, and the whole is set aside', () => {
  writeFileSync(path, '{"version":1,"colour":"green","count":9}');
  const kept = open();
  expect(kept.values).toEqual({ colour: 'red', count: 9 });
  expect(readFileSync(kept.setAside as string, 'utf8')).toContain('green');
});

test('an older file goes through every step since, and a newer one is set aside before anything is written over it', () => {
  const migrations = [
    ({ color, ...rest }: Record<string, unknown>) => ({ ...rest, colour: color }),
    ({ count, ...rest }: Record<string, unknown>) => ({ ...rest, count: Number(count) * 2 }),
  ];
  writeFileSync(path, '{"version":1,"color":"blue","count":"4"}');
  const kept = open({ migrations });
  expect([kept.values, kept.setAside]).toEqual([{ colour: 'blue', count: 8 }, null]);
  kept.change({});
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 3, colour: 'blue', count: 8 });
  expect(open().setAside).toBe(`${path}.unread-7`);
});

test('a file that is left from a write that was cut is no error', () => {
  writeFileSync(`${path}.new`, '{"versi');
  open().change({ count: 3 });
  expect(open().values.count).toBe(3);
});

test('a change that cannot be written leaves everything as it was', () => {
  const kept = open();
  kept.change({ count: 2 });
  rmSync(home, { recursive: true });
  writeFileSync(home, '');
  expect(() => kept.change({ count: 3 })).toThrow();
  expect(kept.values.count).toBe(2);
});

test('the settings open whatever is in their file, and each value is one of theirs', () => {
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
