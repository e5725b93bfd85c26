/**
 * Setup of the test files that run in processes: adds the processor time of each to the journal, with that of the processes that it started
 * and that have ended. The first file of a process counts the start of the process, and what it loads for those after it.
 */
import { relative, sep } from 'node:path';
import { afterAll, expect } from 'vitest';
import { openJournal } from './journal.ts';
import { processorSeconds } from './processor-seconds.ts';

const write = openJournal();
const counted = globalThis as { glasshouseCountedSeconds?: number };

afterAll(() => {
  const { testPath } = expect.getState();
  const now = processorSeconds();
  if (!now || testPath === undefined) return;
  const all = now.own + now.children;
  const seconds = all - (counted.glasshouseCountedSeconds ?? 0);
  counted.glasshouseCountedSeconds = all;
  write({ kind: 'processor', file: relative(process.cwd(), testPath).replaceAll(sep, '/'), seconds: Math.round(seconds * 10) / 10 });
});
