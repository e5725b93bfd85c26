import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'lean-malloc.cjs');
const printProcess = `
  const { Worker } = require('node:worker_threads');
  const { pid, argv, execArgv, env } = process;
  new Worker('require("node:worker_threads").parentPort.postMessage(process.execArgv.length)', { eval: true })
    .on('message', (inThread) => console.log(JSON.stringify({ pid, args: argv.slice(1), options: execArgv.length, inThread, env })));`;

/** Starts a process as servers are started. @returns what it sees of itself */
async function startProcess(environment: Record<string, string>) {
  const options = [`--require=${script}`, '--max-semi-space-size=4', '--eval', printProcess];
  const child = spawn(process.execPath, [...options, '--', 'an argument', '--port=1'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const output = JSON.parse(await text(child.stdout)) as { pid: number; args: string[]; env: Record<string, string> };
  expect((await ended)[0]).toBe(0);
  expect(output.pid).toBe(child.pid);
  expect(output.args).toEqual(['an argument', '--port=1']);
  return output;
}

describe('a server on Linux', () => {
  beforeEach((context) => context.skip(process.platform !== 'linux', 'glibc is the C library of Linux'));

  it('re-executes itself with the malloc variables, with the same process id and arguments', async () => {
    const output = await startProcess({ PATH: '/nowhere' });
    expect(output).toMatchObject({ options: 4, inThread: 4 });
    expect(output.env).toEqual({
      PATH: '/nowhere',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '4194304',
      MALLOC_TRIM_THRESHOLD_: '8388608',
    });
  });

  it('keeps a malloc variable that the user set', async () => {
    const { env } = await startProcess({ MALLOC_ARENA_MAX: '4' });
    expect(env).toMatchObject({ MALLOC_ARENA_MAX: '4', MALLOC_TRIM_THRESHOLD_: '8388608' });
  });
});
