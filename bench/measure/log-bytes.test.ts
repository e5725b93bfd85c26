import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { LogBytes } from './log-bytes.ts';

const logHeaderBytes = 32;
let folder: string;
let db: Database.Database;

beforeEach(() => {
  folder = makeScratchFolder('log-bytes');
  db = new Database(telemetryFile(folder));
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec('CREATE TABLE t (text)');
});
afterEach(() => {
  db.close();
  removeFolder(folder);
});

const write = () => db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(20_000));
const logBytes = () => statSync(`${telemetryFile(folder)}-wal`).size;

test('counts what a log grows by', () => {
  const before = logBytes();
  const counted = new LogBytes(folder);
  for (let i = 0; i < 10; i++) write();
  expect(counted.stop()).toBe(logBytes() - before);
});

test('counts what is written over after a log began anew', () => {
  write();
  const counted = new LogBytes(folder);
  db.pragma('wal_checkpoint(TRUNCATE)');
  write();
  expect(counted.stop()).toBe(logBytes() - logHeaderBytes);
});
