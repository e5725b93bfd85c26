/**
 * The desktop app for journeys: the built main process on the real Electron where its binary is installed, else on the stand-in with a real
 * Chromium. Both are controlled by the same calls, and what the user would see outside of the page is recorded.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type Browser, chromium, type Page } from '@playwright/test';
import { installedElectron } from '../../main/launch.ts';
import { systemChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../server/fixtures/free-port.ts';
import { recordShell, type ShellRecord } from './shell-recorder.ts';

const root = join(import.meta.dirname, '../..');
const binary = installedElectron(root, process.env);

/** Which of the two is used here. */
export const desktopKind = binary === undefined ? 'stand-in' : 'electron';

/** The electron module in the other process, without types here. */
// biome-ignore lint/suspicious/noExplicitAny: two modules with one interface, one of them without types.
type Electron = any;

export interface DesktopApp {
  /** Runs a function in the main process. It has access only to its arguments. */
  evaluate<T>(action: (electron: Electron, given?: unknown) => T, given?: unknown): Promise<Awaited<T>>;
  pages(): Page[];
  shellRecord(): Promise<ShellRecord>;
  /** Asks the app to quit. @returns its exit code */
  quit(): Promise<number | null>;
  process: ChildProcess;
  output(): string;
}

export interface LaunchOptions {
  dataDir: string;
  args?: string[];
  env?: Record<string, string>;
}

const argsOf = ({ dataDir, args = [] }: LaunchOptions) => ['--port', '0', '--otlp-ports', 'off', '--data', dataDir, ...args];
const recordReader = (evaluate: DesktopApp['evaluate']) => () =>
  evaluate(() => (globalThis as unknown as { shellRecord: ShellRecord }).shellRecord);

/** Starts a virtual display on a machine without one. */
export async function openDisplay(): Promise<{ env: Record<string, string>; close(): void }> {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY !== undefined;
  const xvfb = ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'].find((path) => existsSync(path));
  if (hasDisplay) return { env: {}, close: () => {} };
  if (xvfb === undefined) return { env: { STAND_IN_HEADLESS: '1' }, close: () => {} };
  const server = spawn(xvfb, ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  return { env: { DISPLAY: `:${number.toString().trim()}` }, close: () => void server.kill() };
}

export function buildDesktop(): void {
  for (const script of ['scripts/ensure-viewer.ts', 'scripts/ensure-shell.ts']) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
  }
}

async function onElectron(options: LaunchOptions): Promise<DesktopApp> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath: binary as string,
    args: [root, ...sandbox, ...argsOf(options)],
    env: { ...(process.env as Record<string, string>), ...options.env },
  });
  let output = '';
  app.process().stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const evaluate = ((action: never, given: never) => app.evaluate(action, given)) as DesktopApp['evaluate'];
  await evaluate(recordShell);
  const ended = once(app.process(), 'exit').then(([code]) => code as number | null);
  return {
    evaluate,
    pages: () => app.windows(),
    shellRecord: recordReader(evaluate),
    quit: async () => {
      await evaluate(({ app: own }) => void setTimeout(() => own.quit(), 0));
      return ended;
    },
    process: app.process(),
    output: () => output,
  };
}

function forkMain(options: LaunchOptions, env: Record<string, string>): ChildProcess {
  const execArgv = ['--import', join(root, 'e2e/electron/boot.mjs')];
  return fork(join(root, 'out/main/index.js'), argsOf(options), {
    execArgv,
    silent: true,
    cwd: options.dataDir,
    env: { ...process.env, ...env },
  });
}

/** Sends functions to a process with boot.mjs. */
function callerOf(child: ChildProcess, output: () => string): DesktopApp['evaluate'] {
  let sent = 0;
  return <T>(action: (electron: Electron, given?: unknown) => T, given?: unknown) =>
    new Promise<Awaited<T>>((resolve, reject) => {
      sent += 1;
      const id = sent;
      const onExit = () => reject(new Error(`The app has exited: ${output()}`));
      const onReply = (reply: { id: number; value?: Awaited<T>; error?: string }) => {
        if (reply.id !== id) return;
        child.off('message', onReply);
        child.off('exit', onExit);
        if (reply.error === undefined) resolve(reply.value as Awaited<T>);
        else reject(new Error(reply.error));
      };
      child.on('message', onReply);
      child.once('exit', onExit);
      child.send({ id, source: String(action), given });
    });
}

async function onStandIn(options: LaunchOptions): Promise<DesktopApp> {
  const port = await freePort();
  const chromiumPath = systemChromium() ?? chromium.executablePath();
  const child = forkMain(options, { ...options.env, STAND_IN_CHROMIUM: chromiumPath, STAND_IN_PORT: String(port) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const evaluate = callerOf(child, () => output);
  await evaluate(recordShell);
  let browser: Browser | undefined;
  // Chromium starts with the first window, and only then is there something to connect to.
  await evaluate(async ({ BrowserWindow }) => {
    while (BrowserWindow.getAllWindows().length === 0) await new Promise((wake) => setTimeout(wake, 20));
    await BrowserWindow.getAllWindows()[0].webContents.page;
  });
  browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return {
    evaluate,
    pages: () => browser.contexts().flatMap((context) => context.pages().filter((page) => page.url().startsWith('http'))),
    shellRecord: recordReader(evaluate),
    quit: async () => {
      await evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
      const code = await ended;
      await browser?.close().catch(() => {});
      return code;
    },
    process: child,
    output: () => output,
  };
}

export const launchDesktop = binary === undefined ? onStandIn : onElectron;

/** Starts the app a second time on the same data, as the system does for a link or a file. @returns the exit code */
export async function launchAgain(options: LaunchOptions): Promise<number | null> {
  const args = ['--port', '0', '--data', options.dataDir, ...(options.args ?? [])];
  const child =
    binary === undefined
      ? forkMain(options, options.env ?? {})
      : spawn(binary, [root, ...args], { env: { ...process.env, ...options.env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
