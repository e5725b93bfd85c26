/** The commands that set up and start a cloud, as a person types them: through npm, in processes of their own. */
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

const login = { email: 'mira@acme.test', password: 'a long password of mira' };
const secret = { GLASSHOUSE_SECRET: 'a secret of journeys, which is longer than it must be' };

async function bootstrap(data: string): Promise<Bootstrapped> {
  const { email, password } = login;
  const command = npm(['cloud:bootstrap', '--', '--data', data, '--email', email, '--password', password, '--tenant', 'acme']);
  return JSON.parse((await linesOf(command, () => false)).at(-1) ?? '{}') as Bootstrapped;
}

/** A server that npm runs, once it has printed its address. Its end removes its data. */
async function startServer(script: string, data: string): Promise<Pick<StartedCloud, 'url' | 'stop'>> {
  const server = npm([script, '--', '--port', '0', '--data', data], secret);
  const exited = once(server, 'exit');
  const ready = (await linesOf(server, (line) => readyLine.test(line))).at(-1) ?? '';
  const url = readyLine.exec(ready)?.[1];
  if (url === undefined) throw new Error(`npm run ${script} printed no address: ${ready}`);
  const stop = async () => {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
    await exited;
    rmSync(data, { recursive: true, force: true });
  };
  return { url, stop };
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'glasshouse-e2e-cloud-'));

/** One gateway, in whose empty data folder a team was created first. */
export async function startCloudByCommands(): Promise<StartedCloud> {
  const data = newFolder();
  const bootstrapped = await bootstrap(data);
  return { ...bootstrapped, ...login, ...(await startServer('cloud', data)) };
}

/** Three gateways over PostgreSQL and ClickHouse, behind a proxy, in which a team is created while they run. */
export async function startClusterByCommands(): Promise<StartedCloud> {
  const data = newFolder();
  const server = await startServer('cloud:cluster', data);
  return { ...(await bootstrap(data)), ...login, ...server };
}
