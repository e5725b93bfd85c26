/** Starts a test runner, watches its journal, and kills it with all its child processes when it hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { journalVariable, readJournal } from './journal.ts';
import type { Run } from './judge.ts';

/** How long to wait for the last output of a runner that has ended. A process that left its group may keep the pipe open. */
const outputTimeoutMs = 5000;

export interface Runner {
  name: string;
  /** A Node script and its arguments. */
  command: string[];
  /** The options that run only these files. */
  only(files: readonly string[]): string[];
  /** The options that run one file at a time. */
  serial: string[];
}

export interface Limits {
  /** A runner that starts no test for so many milliseconds counts as hanging. Longer than any test may take. */
  quietMs: number;
  /** When everything must have ended, in Unix milliseconds. */
  endAt: number;
}

export interface RunEnd {
  run: Run;
  code: number | null;
  /** How it ended, to be read by people: `exit code 1`, `SIGSEGV`, or why it was killed. */
  how: string;
  isOutOfTime: boolean;
}

export interface RunOptions {
  /** The folder of the configuration. */
  cwd: string;
  journal: string;
  /** `prefixed`: each line of output starts with the name of the runner, because another runner prints at the same time. */
  stdio: 'inherit' | 'ignore' | 'prefixed';
}

/** Resolves when the runner has ended; never rejects. */
export async function runOnce(
  runner: Runner,
  options: readonly string[],
  { cwd, journal, stdio }: RunOptions,
  limits: Limits,
): Promise<RunEnd> {
  rmSync(journal, { force: true });
  mkdirSync(dirname(journal), { recursive: true });
  const child = spawn(process.execPath, [...runner.command, ...options], {
    cwd,
    stdio: stdio === 'prefixed' ? ['ignore', 'pipe', 'pipe'] : ['ignore', stdio, stdio],
    env: { ...process.env, [journalVariable]: journal },
    // A process group of its own, so that processes which tests left behind are killed with it.
    detached: process.platform !== 'win32',
  });
  const printed = [child.stdout, child.stderr].map((stream) => stream && printPrefixed(stream, runner.name));
  const removeHandlers = killOnSignal(child);
  let killed: string | undefined;
  let journalSize = { bytes: 0, since: performance.now() };
  const watch = setInterval(() => {
    const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes !== journalSize.bytes) journalSize = { bytes, since: performance.now() };
    killed ??= reasonToKill(performance.now() - journalSize.since, limits);
    if (killed !== undefined) killGroup(child);
  }, 1000);
  const [code, how] = await new Promise<[number | null, string]>((resolve) => {
    child.once('error', (error) => resolve([null, error.message]));
    child.once('exit', (code, signal) => resolve([code, signal ?? `exit code ${code}`]));
  });
  clearInterval(watch);
  killGroup(child);
  await Promise.race([Promise.all(printed), setTimeout(outputTimeoutMs, undefined, { ref: false })]);
  removeHandlers();
  const run = readJournal(journal);
  const why = killed === undefined ? how : `killed: ${killed}${lastStarted(run)}`;
  return { run, code, how: why, isOutOfTime: Date.now() >= limits.endAt };
}

/** Resolves when everything is printed. */
async function printPrefixed(stream: Readable, name: string): Promise<void> {
  for await (const line of createInterface({ input: stream })) process.stdout.write(`${name} | ${line}\n`);
}

function reasonToKill(silentMs: number, { quietMs, endAt }: Limits): string | undefined {
  if (Date.now() >= endAt) return 'the time for all tests was over';
  return silentMs < quietMs ? undefined : `nothing began for ${Math.round(quietMs / 6000) / 10} minutes`;
}

/** What hangs is usually the test or hook that started last. */
function lastStarted(run: Run): string {
  const last = run.findLast((line) => line.kind === 'began');
  return last ? `; the last was ${last.file} > ${last.name}` : '';
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

/** A process group of its own gets no signals from the terminal: Ctrl-C, or a signal to this process, must kill it too. */
function killOnSignal(child: ChildProcess): () => void {
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
