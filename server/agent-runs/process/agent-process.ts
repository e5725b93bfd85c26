/** An agent as a process group: starts it, reads its output, enforces its limits, and ends it with all processes that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { watchAgent } from './agent-watch.ts';
import { isProgram, type ResourceLimits } from './containment.ts';
import type { LoopShare } from './loop-share.ts';
import { endMarked } from './marked-processes.ts';
import { readLines } from './read-lines.ts';

export interface Limits extends ResourceLimits {
  turnMs: number;
  /** Between SIGTERM and SIGKILL. */
  endMs: number;
  /** Interval of the resource checks. */
  checkMs: number;
}

export interface AgentStart {
  /** Containment launcher, before the program. */
  launcher: readonly string[];
  /** The program and its arguments. */
  argv: readonly [string, ...string[]];
  /** Folder of the workspace; every process in it belongs to the agent. */
  folder: string;
  cwd: string;
  env: Record<string, string>;
  /** For stdin. */
  input: string;
}

export interface AgentEnd {
  /** Null when it ended by a signal, or never started. */
  exitCode: number | null;
  /** Why it was stopped, or could not be started. */
  error: Error | null;
}

/** Receives the output of an agent. */
export interface OutputReader {
  /** Whether all lines are wanted; otherwise lines that begin with a brace, and occasionally the latest. */
  wantsAll(): boolean;
  /** @param line valid during the call */
  onLine(stream: 'stdout' | 'stderr', line: Buffer): void;
  /** Share of the event loop, for all agents together. */
  share: LoopShare;
}

const streams = ['stdout', 'stderr'] as const;

export async function runAgent(start: AgentStart, limits: Limits, reader: OutputReader, signal: AbortSignal): Promise<AgentEnd> {
  const timedOut = new Error(`The turn took longer than ${Math.round(limits.turnMs / 1000)} seconds`);
  const stopping = new AbortController();
  const stop = (reason: unknown) => stopping.abort(reason);
  const timer = setTimeout(stop, limits.turnMs, timedOut);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await runUntilEnd(start, limits, reader, stopping);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function runUntilEnd(start: AgentStart, limits: Limits, reader: OutputReader, stopping: AbortController): Promise<AgentEnd> {
  if (stopping.signal.aborted) return { exitCode: null, error: stopping.signal.reason as Error };
  const [program] = start.argv;
  if (!isProgram(program, start.cwd, start.env['PATH'] ?? ''))
    return { exitCode: null, error: new Error(`The agent could not be started: there is no program ${program}`) };
  const child = spawnAgent(start);
  const read = readOutput(child, reader);
  const watch = new AbortController();
  const watching = watchAgent(start.folder, limits, limits.checkMs, watch.signal, (reason) => stopping.abort(reason));
  let startError: Error | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      startError = new Error(`The agent could not be started: ${error.message}`);
      resolve();
    });
  });
  stopping.signal.addEventListener('abort', () => void endGroup(child, ended, limits.endMs), { once: true });
  await ended;
  watch.abort();
  signalGroup(child, 'SIGKILL');
  await endMarked(start.folder);
  // Reads the last output. No process is left to keep the pipes open.
  if (!startError) await Promise.race([read, after(limits.endMs)]);
  for (const stream of streams) child[stream]?.destroy();
  await read;
  await watching;
  const error = startError ?? (stopping.signal.aborted ? (stopping.signal.reason as Error) : null);
  return { exitCode: child.exitCode, error };
}

function spawnAgent({ launcher, argv, cwd, env, input }: AgentStart): ChildProcess {
  const [program = '', ...args] = [...launcher, ...argv];
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.on('error', () => {}).end(input);
  return child;
}

/** Resolves when all writers have ended. */
async function readOutput(child: ChildProcess, { share, wantsAll, onLine }: OutputReader): Promise<void> {
  const readStream = async (stream: (typeof streams)[number]) => {
    const pipe = child[stream];
    if (pipe) await readLines(pipe, share, { wantsAll, onLine: (line) => onLine(stream, line) });
  };
  await Promise.all(streams.map(readStream));
}

async function endGroup(child: ChildProcess, ended: Promise<void>, endMs: number): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), endMs);
  await ended;
  clearTimeout(timer);
}

/** A process that never started has no id. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
