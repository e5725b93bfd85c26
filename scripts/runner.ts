/** Starts a test runner, watches its journal, and ends it with all that it started when it hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { journalVariable, readJournal } from './journal.ts';
import type { Run } from './judge.ts';

/** For the last lines of a runner that has ended. Whoever left its group may hold its output open. */
const printedWithinMs = 5000;

export interface Runner {
  name: string;
  /** A script for Node and its options. */
  command: string[];
  /** The options that run these files only; undefined stands for all there are. */
  only(files: readonly string[]): string[];
  /** The options that run one file at a time, with nothing beside it. */
  alone: string[];
}

export interface Limits {
  /** How long nothing may begin before the runner counts as hanging, in milliseconds. Longer than any test may take. */
  quietMs: number;
  /** When everything must have ended, as `Date.now()` says it. */
  endAt: number;
}

export interface Ended {
  run: Run;
  code: number | null;
  /** How it ended, for people: `exit code 1`, `SIGSEGV`, or why it was killed. */
  how: string;
  isOutOfTime: boolean;
}

export interface Place {
  /** The folder of the configuration. */
  cwd: string;
  journal: string;
  /** `named`: each line of what it prints begins with its name, because another runner prints at the same time. */
  stdio: 'inherit' | 'ignore' | 'named';
}

/** Resolves when the runner has ended; never rejects. */
export async function runOnce(runner: Runner, options: readonly string[], { cwd, journal, stdio }: Place, limits: Limits): Promise<Ended> {
  rmSync(journal, { force: true });
  mkdirSync(dirname(journal), { recursive: true });
  const child = spawn(process.execPath, [...runner.command, ...options], {
    cwd,
    stdio: stdio === 'named' ? ['ignore', 'pipe', 'pipe'] : ['ignore', stdio, stdio],
    env: { ...process.env, [journalVariable]: journal },
    // A group of its own: what tests started and left behind ends with it.
    detached: process.platform !== 'win32',
  });
  const printed = [child.stdout, child.stderr].map((from) => from && printNamed(from, runner.name));
  const stopWatching = endWithUs(child);
  let killed: string | undefined;
  let told = { bytes: 0, at: performance.now() };
  const watch = setInterval(() => {
    const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes !== told.bytes) told = { bytes, at: performance.now() };
    killed ??= whyEnd(performance.now() - told.at, limits);
    if (killed !== undefined) killGroup(child);
  }, 1000);
  const [code, how] = await new Promise<[number | null, string]>((resolve) => {
    child.once('error', (error) => resolve([null, error.message]));
    child.once('exit', (code, signal) => resolve([code, signal ?? `exit code ${code}`]));
  });
  clearInterval(watch);
  killGroup(child);
  await Promise.race([Promise.all(printed), setTimeout(printedWithinMs, undefined, { ref: false })]);
  stopWatching();
  const run = readJournal(journal);
  const why = killed === undefined ? how : `killed: ${killed}${lastOf(run)}`;
  return { run, code, how: why, isOutOfTime: Date.now() >= limits.endAt };
}

/** Resolves when all is printed. */
async function printNamed(from: Readable, name: string): Promise<void> {
  for await (const line of createInterface({ input: from })) process.stdout.write(`${name} | ${line}\n`);
}

function whyEnd(silentMs: number, { quietMs, endAt }: Limits): string | undefined {
  if (Date.now() >= endAt) return 'the time for all tests was over';
  return silentMs < quietMs ? undefined : `nothing began for ${Math.round(quietMs / 6000) / 10} minutes`;
}

/** What hangs is most often the last thing that began. */
function lastOf(run: Run): string {
  const last = run.findLast((line) => line.kind === 'began');
  return last ? `; the last was ${last.file} > ${last.name}` : '';
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

/** A group of its own does not hear the terminal: Ctrl-C, or whoever ends us, must end it too. */
function endWithUs(child: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = () => {
    killGroup(child);
    process.exit(130);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
