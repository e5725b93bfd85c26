import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReader, openWriter } from '../telemetry/sqlite/file/open.ts';
import { copyStore, verifyCopy } from './copy-store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-copy-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that writes endlessly, each row to two tables in one transaction, and syncs to disk as the store does. */
const endless = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.pragma('synchronous = FULL');
  const write = db.transaction((at) => {
    for (const table of ['first', 'second']) db.prepare('INSERT INTO ' + table + ' VALUES (?, zeroblob(8000))').run(at);
  });
  for (let at = 1; ; at++) { write(at); if (at === 1) process.stdout.write('writing'); }
`;

it('a copy is a snapshot, although another process writes continuously', async () => {
  const [from, to] = [join(folder, 'store.db'), join(folder, 'copy.db')];
  const db = openWriter(from);
  db.exec('CREATE TABLE first (at INTEGER, data BLOB); CREATE TABLE second (at INTEGER, data BLOB)');
  // Takes many steps.
  db.exec('INSERT INTO first VALUES (0, zeroblob(20000000)); INSERT INTO second VALUES (0, null)');
  const writing = spawn(process.execPath, ['-e', endless, from], { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname });
  const exited = once(writing, 'exit');
  const newest = () => Number(db.prepare('SELECT max(at) FROM first').pluck().get());
  const parts: number[] = [];
  try {
    await once(writing.stdout, 'data');
    await copyStore(from, to, (part) => {
      parts.push(part);
      // The other process writes between any two steps.
      for (const before = newest(); newest() === before; );
    });
  } finally {
    writing.kill('SIGKILL');
    await exited;
  }
  expect(parts.length).toBeGreaterThan(5);
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(verifyCopy(to)).toBe('ok');
  const copy = openReader(to);
  const [first, second] = ['first', 'second'].map((table) => copy.prepare(`SELECT max(at) FROM ${table}`).pluck().get());
  copy.close();
  expect(first).toBe(second);
  expect(newest()).toBeGreaterThan(Number(first));
  expect(readdirSync(folder).filter((file) => file.startsWith('copy'))).toEqual(['copy.db']);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  db.close();
});

it('verifying a copy in WAL mode leaves no other files', () => {
  const file = join(folder, 'old.db');
  openWriter(file).close();
  expect(verifyCopy(file)).toBe('ok');
  expect(readdirSync(folder)).toEqual(['old.db']);
});

it('a copy that fails leaves nothing', async () => {
  const from = join(folder, 'none.db');
  await expect(copyStore(from, join(folder, 'copy.db'), () => {})).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});
