/** The two commands that set up and start a cloud, as a person types them: through npm, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bootstrapped } from '../server/entry/bootstrap.ts';

const root = join(import.meta.dirname, '..');
const readyLine = /ready at (http:\/\/\S+)/;

export interface StartedCloud extends Bootstrapped {
  url: string;
  email: string;
  password: string;
  stop(): Promise<void>;
}

/** Starts npm in a process group of its own, so that its child processes end with it. */
const npm = (args: string[], environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });

async function linesOf(child: ChildProcess, isLast: (line: string) => boolean): Promise<string[]> {
  const lines: string[] = [];
  if (!child.stdout) throw new Error('npm has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (isLast(line)) break;
  }
  return lines;
}

export async function startCloudByCommands(): Promise<StartedCloud> {
  const data = mkdtempSync(join(tmpdir(), 'glasshouse-e2e-cloud-'));
  const login = { email: 'mira@acme.test', password: 'a long password of mira' };
  const bootstrap = npm([
    'cloud:bootstrap',
    '--',
    '--data',
    data,
    '--email',
    login.email,
    '--password',
    login.password,
    '--tenant',
    'acme',
  ]);
  const bootstrapped = JSON.parse((await linesOf(bootstrap, () => false)).at(-1) ?? '{}') as Bootstrapped;

  const secret = 'a secret of journeys, which is longer than it must be';
  const cloud = npm(['cloud', '--', '--port', '0', '--data', data], { GLASSHOUSE_SECRET: secret });
  const exited = once(cloud, 'exit');
  const ready = (await linesOf(cloud, (line) => readyLine.test(line))).at(-1) ?? '';
  const url = readyLine.exec(ready)?.[1];
  if (url === undefined) throw new Error(`The cloud gateway did not print its URL: ${ready}`);
  return {
    ...bootstrapped,
    ...login,
    url,
    stop: async () => {
      if (cloud.pid !== undefined) process.kill(-cloud.pid, 'SIGTERM');
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
