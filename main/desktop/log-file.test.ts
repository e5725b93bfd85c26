import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyToLog, LogFile } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = () => readFileSync(join(folder, 'main.log'), 'utf8');

test('lines get a time unless they have one, and only their owner may read them', () => {
  const log = new LogFile(folder);
  log.write('a window opened');
  log.write('{"at":"2026-11-01T00:00:00.000Z","event":"x"}\n');
  expect(text()).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z a window opened\n\{"at":"2026-11-01T00:00:00\.000Z","event":"x"\}\n$/);
  expect(statSync(log.path).mode & 0o077).toBe(0);
});

test('two files of a limited size are kept, the later one across starts', () => {
  for (let i = 0; i < 400; i++) new LogFile(folder, { bytesMax: 1000 }).write(`entry ${i}`);
  const sizes = ['main.log', 'main.old.log'].map((name) => statSync(join(folder, name)).size);
  expect(Math.max(...sizes)).toBeLessThan(1100);
  expect(text()).toContain('entry 399');
});

test('the tail is the last complete lines', () => {
  const log = new LogFile(folder);
  expect(log.tail(3)).toEqual([]);
  writeFileSync(log.path, `${'x'.repeat(70_000)}\n${Array.from({ length: 9 }, (_, i) => `line ${i}`).join('\n')}\n`);
  expect(log.tail(2)).toEqual(['line 7', 'line 8']);
  expect(log.tail(100)).toHaveLength(9);
});

test('what a stream prints is in the log, also when the log cannot be written', () => {
  const printed: unknown[] = [];
  const stream = { write: (chunk: unknown) => printed.push(chunk) > 0 };
  const log = new LogFile(folder);
  copyToLog(stream as never, log);
  stream.write('{"at":"now","event":"started"}\n');
  // A character that is split between two chunks.
  const bytes = Buffer.from('größer\n');
  stream.write(bytes.subarray(0, 3));
  stream.write(bytes.subarray(3));
  expect(printed).toHaveLength(3);
  expect(text()).toContain('"event":"started"');
  expect(text()).toContain('ößer');
  rmSync(folder, { recursive: true });
  expect(stream.write('more\n')).toBe(true);
  expect(printed).toHaveLength(4);
  new LogFile(folder);
});
