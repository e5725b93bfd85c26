import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ReadSession, ReadSessions } from './read-sessions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-read-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, 'read.jsonl');
const opened = (installation = 'a store') => new ReadSessions(file(), installation);
const linesIn = () => readFileSync(file(), 'utf8').split('\n').length - 1;

const session = (bytes: number): ReadSession => ({
  ...{ bytes, modifiedMs: 7.5, files: 1, isOver: true, overMs: 9, lines: [['/home/ada/a.jsonl', bytes]], traces: 2 },
  ...{ damagedLines: 0, longLines: 0, unreadable: [] },
});

it('is there after a restart: what was read last of each session, without those that were deleted', () => {
  const read = opened();
  read.set('codex', 'one', session(1));
  read.set('pi', 'two', session(2));
  read.save();
  read.set('codex', 'one', session(3));
  read.keep('pi', new Set());
  read.save();
  expect(read.isSaved).toBe(true);
  const again = opened();
  expect(again.find('codex', 'one')).toEqual(session(3));
  expect(again.totals('pi').traces).toBe(0);
});

it('has all of a session of several files, of one without a line, and of one that was not read whole', () => {
  const several: ReadSession = {
    ...session(1),
    lines: [
      ['/home/ada/a.jsonl', 3],
      ['/home/ada/agent.jsonl', 4],
    ],
    files: 2,
  };
  const without: ReadSession = { ...session(2), lines: [] };
  const unreadable = [{ path: '/home/ada/c.jsonl', why: 'EACCES' }];
  const damaged: ReadSession = { ...session(3), damagedLines: 2, longLines: 1, unreadable };
  const unfinished: ReadSession = { ...damaged, isOver: false };
  const all = { several, without, damaged, unfinished };
  const read = opened();
  for (const [id, of] of Object.entries(all)) read.set('codex', id, of);
  read.save();
  for (const each of [read, opened()]) {
    for (const [id, of] of Object.entries(all)) expect(each.find('codex', id)).toEqual(of);
    // The last line of a session that goes on may be half written.
    expect(each.totals('codex')).toEqual({ traces: 8, damagedLines: 2, longLines: 2, unreadable: [...unreadable, ...unreadable] });
    expect(['several', 'damaged'].map((id) => each.isUnfinished('codex', id, 5))).toEqual([false, true]);
  }
});

it('is saved by adding what is new, until most of the file is not needed', () => {
  const read = opened();
  for (let at = 0; at < 10; at++) read.set('codex', `session ${at}`, session(at));
  read.save();
  const before = readFileSync(file(), 'utf8');
  read.set('codex', 'session 3', session(33));
  read.save();
  expect(readFileSync(file(), 'utf8').startsWith(before)).toBe(true);
  expect(linesIn()).toBe(12);
  const large = (at: number): ReadSession => ({ ...session(at), lines: [[`/home/${'x'.repeat(100_000)}`, at]] });
  for (let at = 0; at < 30; at++) {
    read.set('codex', 'session 3', large(at));
    read.save();
  }
  expect(linesIn()).toBeLessThan(12 + 30);
  expect(opened().find('codex', 'session 3')).toEqual(large(29));
  expect(opened().totals('codex').traces).toBe(10 * 2);
});

it('survives a line that was half written, and what is no line', () => {
  const read = opened();
  read.set('codex', 'one', session(1));
  read.save();
  appendFileSync(file(), 'null\n["codex","two",{"by');
  const again = opened();
  expect(again.find('codex', 'one')).toEqual(session(1));
  again.set('codex', 'three', session(3));
  again.save();
  expect(['one', 'two', 'three'].map((id) => opened().find('codex', id))).toEqual([session(1), undefined, session(3)]);
});

it('takes over the file of version 1', () => {
  const { lines, ...rest } = session(1);
  const sessions = { codex: { one: { ...rest, lines: Object.fromEntries(lines) } } };
  writeFileSync(join(folder, 'read.json'), JSON.stringify({ version: 1, installation: 'a store', sessions }));
  const read = opened();
  expect(read.find('codex', 'one')).toEqual(session(1));
  read.set('pi', 'two', session(2));
  read.save();
  expect(existsSync(join(folder, 'read.json'))).toBe(false);
  expect(opened().find('codex', 'one')).toEqual(session(1));
});

it('is of one store: for another, everything is read again', () => {
  const read = opened();
  read.set('codex', 'one', session(1));
  read.save();
  expect(opened('another store').find('codex', 'one')).toBeUndefined();
});
