/** Agents are contained as far as the kernel allows, and less where it does not. Both cases run on every machine: the second by a setting. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quickLimits, scripted } from '../../fixtures/agent-run-stand.ts';
import { aTurn, workspaceOf } from '../../fixtures/agent-run-turn.ts';
import { findContainment, isProgram } from './containment.ts';
import { ProcessRuntime } from './process-runtime.ts';

const MiB = 1024 * 1024;
const workspace = { ...workspaceOf('7f000000-0000-4000-8000-00000000000d'), repo: null };
let dataDir: string;
let lines: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-containment-'));
  lines = [];
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const runtimeOf = (isolation: 'auto' | 'none', limits: Partial<typeof quickLimits> = {}) =>
  new ProcessRuntime(dataDir, { ...scripted(null, limits), command: ['sh'] as never, isolation });

/** The agent is a shell that runs the task. */
async function run(runtime: ProcessRuntime, task: string) {
  const listener = { onBegin: async () => {}, onLine: (_: string, text: string) => lines.push(text) > 0, onReport: () => {} };
  return runtime.run(aTurn(task, workspace), listener, new AbortController().signal);
}

/** Process ids on this machine with this argument on their command line. */
const processesWith = (argument: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
      } catch {
        return false;
      }
    });

const numbers = [31_000_001, 31_000_002, 31_000_003, 31_000_004].map((number) => String(number + process.pid));

describe.each(['auto', 'none'] as const)('isolation %s', (isolation) => {
  it('processes that an agent leaves behind are ended, in a namespace even hidden ones', async () => {
    const runtime = runtimeOf(isolation);
    const { namespace } = await runtime.containment();
    const [plain, hidden] = isolation === 'auto' ? numbers : numbers.slice(2);
    const hide = `env -i setsid sh -c 'cd /; exec sleep ${hidden}' > /dev/null 2>&1 < /dev/null &`;
    const isRunning = `cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -qx '[3]${hidden?.slice(1)}'`;
    const { error } = await run(runtime, `setsid sleep ${plain} & ${hide}\nuntil ${isRunning}; do sleep 0.05; done`);
    expect([error, processesWith(String(plain))]).toEqual([null, []]);
    const left = processesWith(String(hidden));
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toHaveLength(namespace === 'none' ? 1 : 0);
  });

  it('an agent can read the environment of the gateway only without a namespace', async () => {
    const runtime = runtimeOf(isolation);
    const { namespace } = await runtime.containment();
    await run(
      runtime,
      `cat /proc/${process.pid}/environ > copy; test -s copy && echo read; test -e /proc/${process.pid} || echo hidden; echo end`,
    );
    const expected = { hidden: ['hidden'], own: [], none: ['read'] }[namespace];
    expect(lines.filter((line) => !line.startsWith('cat'))).toEqual([...expected, 'end']);
  });

  it('too much memory and too many processes end the turn', async () => {
    const runtime = runtimeOf(isolation, { memoryBytes: 256 * MiB, processes: 16 });
    const hoard = 'head -c 150000000 /dev/zero | tail | wait_for_ever';
    const two = `wait_for_ever() { sleep 60; }; ${hoard} & ${hoard} & wait`;
    expect((await run(runtime, two)).error).toBe('The agent took more than 256 MiB of memory');
    expect((await run(runtime, 'for each in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do sleep 60 & done; wait')).error).toMatch(
      /16 processes|exit code/,
    );
  });
});

it('the kernel enforces the limits of each process where it is reported to', async () => {
  const runtime = runtimeOf('auto', { memoryBytes: 300 * MiB });
  const { isLimited, isNice } = await runtime.containment();
  await run(runtime, 'nice; cat /proc/self/limits; head -c 400000000 /dev/zero | tail -c 1000000000 > /dev/null; echo over $?');
  const limit = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
      .trim()
      .split(/\s+/)[1];
  expect(lines[0]).toBe(isNice ? '10' : '0');
  expect([limit('Max core file size'), limit('Max data size'), limit('Max file size')]).toEqual(
    isLimited ? ['0', String(300 * MiB), String(128 * MiB)] : [expect.any(String), expect.any(String), expect.any(String)],
  );
  if (isLimited) expect(lines).toContain('over 1');
});

it('the reported containment is what the machine allows', async () => {
  const allowed = await promisify(execFile)('unshare', ['--user', '--pid', '--fork', 'true']).then(
    () => true,
    () => false,
  );
  const { namespace, launcher } = await findContainment('auto', quickLimits);
  expect(namespace !== 'none').toBe(allowed);
  // The kernel does not count root's processes, so another user runs it.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const limits = { ...quickLimits, processes: 12 };
  const { launcher: strictLauncher } = await findContainment('auto', limits);
  const [program = '', ...args] = strictLauncher;
  const fork = 'for each in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1 & done; wait; echo all';
  const forked = promisify(execFile)(program, [...args, 'sh', '-c', fork], { cwd: '/', ...user });
  if (allowed) await expect(forked).rejects.toThrow(/fork/i);
  else await expect(forked).resolves.toMatchObject({ stdout: 'all\n' });
  expect((await findContainment('none', quickLimits)).launcher).toEqual([]);
  expect(launcher).not.toEqual([]);
});

it('a missing program is reported before anything is started', () => {
  expect([isProgram('sh', '/', '/nowhere:/bin'), isProgram('bin/sh', '/', ''), isProgram('/bin/sh', '/tmp', '')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isProgram('sh', '/', '/nowhere'), isProgram('bin/sh', '/tmp', '/'), isProgram('/etc/passwd', '/', '')]).toEqual([
    false,
    false,
    false,
  ]);
});
