import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'lean-malloc.cjs');
const tell = `
  const { Worker } = require('node:worker_threads');
  const { pid, argv, execArgv, env } = process;
  new Worker('require("node:worker_threads").parentPort.postMessage(process.execArgv.length)', { eval: true })
    .on('message', (inThread) => console.log(JSON.stringify({ pid, said: argv.slice(1), options: execArgv.length, inThread, env })));`;

/** What a process sees of itself that was started as servers are. */
async function started(environment: Record<string, string>) {
  const options = [`--require=${script}`, '--max-semi-space-size=4', '--eval', tell];
  const child = spawn(process.execPath, [...options, '--', 'a word', '--port=1'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const seen = JSON.parse(await text(child.stdout)) as { pid: number; said: string[]; env: Record<string, string> };
  expect((await ended)[0]).toBe(0);
  expect(seen.pid).toBe(child.pid);
  expect(seen.said).toEqual(['a word', '--port=1']);
  return seen;
}

describe('a server on Linux', () => {
  beforeEach((context) => context.skip(process.platform !== 'linux', 'glibc is the C library of Linux'));

  it('begins again with what glibc should know, as the same process with the same words', async () => {
    const seen = await started({ PATH: '/nowhere' });
    expect(seen).toMatchObject({ options: 4, inThread: 4 });
    expect(seen.env).toEqual({
      PATH: '/nowhere',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '4194304',
      MALLOC_TRIM_THRESHOLD_: '8388608',
    });
  });

  it('keeps what its user said of it', async () => {
    const { env } = await started({ MALLOC_ARENA_MAX: '4' });
    expect(env).toMatchObject({ MALLOC_ARENA_MAX: '4', MALLOC_TRIM_THRESHOLD_: '8388608' });
  });
});
