/**
 * AgentMark's API server as a child process, to measure beside ours. The folder has a `launch.cjs` that takes a port as its argument and
 * starts the server there; it keeps its spans in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../measure/port-probe.ts';

const startTimeoutMs = 60_000;

export interface AgentMarkProcess {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

/** @returns when `/health` answers 200. @throws when the server ends before, or does not answer in time */
export async function startAgentMark(folder: string): Promise<AgentMarkProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, 'launch.cjs'), String(port)], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2000);
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const began = performance.now();
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null) throw new Error(`AgentMark's server ended before it was ready. ${output}`);
    if (performance.now() - began > startTimeoutMs) {
      await stop();
      throw new Error(`AgentMark's server did not answer within ${startTimeoutMs} ms`);
    }
    await after(20);
  }
  return { pid: child.pid ?? -1, url, stop };
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );
