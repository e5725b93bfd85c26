/**
 * `npm run gateway` as a child process, without npm: started, killed and stopped by its handle only.
 * Nothing in bench/ ever ends a process that it did not start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');
const localEntry = join(root, 'server/entry/gateway.ts');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gateway: string } };
/** The options that the script gives to Node. */
const nodeOptions = scripts.gateway.split(' ').filter((word) => word.startsWith('--'));
const readyLine = /ready at (http:\/\/\S+)/;
const startTimeoutMs = 180_000;

export interface GatewayProcess {
  pid: number;
  /** The address, once the ready line is printed. Rejects when the process ends before. */
  ready: Promise<string>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM: drains. Answers the exit code, null when a signal ended it. */
  stop(): Promise<number | null>;
  /** What it wrote on stderr, the last few kilobytes. */
  complaints(): string;
}

interface Spawned {
  /** Another program than the local gateway's. */
  entry?: string;
  environment?: NodeJS.ProcessEnv;
  /** More of its command line. */
  words?: readonly string[];
}

/** @param port 0 takes any free port, so that nobody has to guess one. */
export function spawnGateway(
  dataDir: string,
  port = 0,
  { entry = localEntry, environment = {}, words = [] }: Spawned = {},
): GatewayProcess {
  const project = entry === localEntry ? ['--project', dataDir] : [];
  // A gateway makes its data folder, but that of a project must be there.
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(process.execPath, [...nodeOptions, entry, '--port', String(port), '--data', dataDir, ...project, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-8192);
  });
  const gone = once(child, 'exit') as Promise<[number | null]>;
  const ready = readyAddress(child, gone, () => printed);
  // A process that is killed on purpose while it starts is nobody's error.
  ready.catch(() => {});
  return {
    pid: child.pid ?? -1,
    ready,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await gone)[0];
    },
    complaints: () => printed,
  };
}

function readyAddress(child: ChildProcess, gone: Promise<unknown>, complaints: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The gateway was not ready after ${startTimeoutMs} ms`)), startTimeoutMs);
    const fail = () => {
      clearTimeout(timer);
      reject(new Error(`The gateway ended before it was ready. ${complaints()}`));
    };
    gone.then(fail, fail);
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = readyLine.exec(line)?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}
