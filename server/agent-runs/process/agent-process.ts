/** Agent as a process group: started, read, limited, and ended together with all processes that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { watchAgent } from './agent-watch.ts';
import { isProgram, type Measure } from './containment.ts';
import type { LoopShare } from './loop-share.ts';
import { endMarked } from './marked-processes.ts';
import { readLines } from './read-lines.ts';

export interface Limits extends Measure {
  turnMs: number;
  /** Between asking an agent to end and ending it. */
  endMs: number;
  /** Interval of the resource checks. */
  lookMs: number;
}

export interface AgentStart {
  /** Containment launcher, in front of the program. */
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
  /** Why it was ended before its time, or could not be started. */
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
  const timeUp = new Error(`The turn took longer than ${Math.round(limits.turnMs / 1000)} seconds`);
  const over = new AbortController();
  const stop = (why: unknown) => over.abort(why);
  const late = setTimeout(stop, limits.turnMs, timeUp);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await attended(start, limits, reader, over);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', onAbort);
  }
}

async function attended(start: AgentStart, limits: Limits, reader: OutputReader, over: AbortController): Promise<AgentEnd> {
  if (over.signal.aborted) return { exitCode: null, error: over.signal.reason as Error };
  const [program] = start.argv;
  if (!isProgram(program, start.cwd, start.env['PATH'] ?? ''))
    return { exitCode: null, error: new Error(`The agent could not be started: there is no program ${program}`) };
  const child = started(start);
  const read = readOutput(child, reader);
  const watch = new AbortController();
  const watching = watchAgent(start.folder, limits, limits.lookMs, watch.signal, (why) => over.abort(why));
  let refusal: Error | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      refusal = new Error(`The agent could not be started: ${error.message}`);
      resolve();
    });
  });
  over.signal.addEventListener('abort', () => void endGroup(child, ended, limits.endMs), { once: true });
  await ended;
  watch.abort();
  signalGroup(child, 'SIGKILL');
  await endMarked(start.folder);
  // Reads the last output. No process is left that could keep the pipes open.
  if (!refusal) await Promise.race([read, after(limits.endMs)]);
  for (const stream of streams) child[stream]?.destroy();
  await read;
  await watching;
  const error = refusal ?? (over.signal.aborted ? (over.signal.reason as Error) : null);
  return { exitCode: child.exitCode, error };
}

function started({ launcher, argv, cwd, env, input }: AgentStart): ChildProcess {
  const [program = '', ...args] = [...launcher, ...argv];
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.on('error', () => {}).end(input);
  return child;
}

/** Until all writers have ended. */
async function readOutput(child: ChildProcess, { share, wantsAll, onLine }: OutputReader): Promise<void> {
  const readOne = async (stream: (typeof streams)[number]) => {
    const pipe = child[stream];
    if (pipe) await readLines(pipe, share, { wantsAll, onLine: (line) => onLine(stream, line) });
  };
  await Promise.all(streams.map(readOne));
}

async function endGroup(child: ChildProcess, ended: Promise<void>, endMs: number): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const late = setTimeout(() => signalGroup(child, 'SIGKILL'), endMs);
  await ended;
  clearTimeout(late);
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
