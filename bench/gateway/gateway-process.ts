/**
 * Runs `npm run gateway` as a child process, without npm. It is stopped and killed only through its handle: nothing in bench/ ends a
 * process that it did not start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');
const localEntry = join(root, 'server/entry/gateway.ts');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gateway: string } };
/** The Node options of the npm script. */
const nodeOptions = scripts.gateway.split(' ').filter((word) => word.startsWith('--'));
const readyLine = /ready at (http:\/\/\S+)/;
const startTimeoutMs = 180_000;

export interface GatewayProcess {
  pid: number;
  /** The URL, when the ready line is printed. Rejects when the process exits before. */
  ready: Promise<string>;
  /** SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** SIGTERM: drains. Resolves with the exit code, or null when a signal ended it. */
  stop(): Promise<number | null>;
  /** The last 8 KiB of its stderr. */
  stderr(): string;
}

interface SpawnOptions {
  /** Another program than the local gateway. */
  entry?: string;
  environment?: NodeJS.ProcessEnv;
  /** More command-line arguments. */
  args?: readonly string[];
}

/** @param port 0 takes any free port */
export function spawnGateway(
  dataDir: string,
  port = 0,
  { entry = localEntry, environment = {}, args = [] }: SpawnOptions = {},
): GatewayProcess {
  const project = entry === localEntry ? ['--project', dataDir] : [];
  // A gateway creates its data folder, but a project folder must exist.
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(process.execPath, [...nodeOptions, entry, '--port', String(port), '--data', dataDir, ...project, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8192);
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = readyAddress(child, exited, () => output);
  // Killing a starting process on purpose must not cause an unhandled rejection.
  ready.catch(() => {});
  return {
    pid: child.pid ?? -1,
    ready,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    stderr: () => output,
  };
}

function readyAddress(child: ChildProcess, exited: Promise<unknown>, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The gateway was not ready after ${startTimeoutMs} ms`)), startTimeoutMs);
    const fail = () => {
      clearTimeout(timer);
      reject(new Error(`The gateway ended before it was ready. ${stderr()}`));
    };
    exited.then(fail, fail);
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = readyLine.exec(line)?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}
