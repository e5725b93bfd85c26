/**
 * The desktop app for a journey: the built main process on the real Electron where its binary is installed, else on the stand-in
 * with a real Chromium. Both are driven by the same calls, and what the user would see outside of the page is written down.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type Browser, chromium, type Page } from '@playwright/test';
import { installedElectron } from '../../main/launch.ts';
import { systemChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../server/fixtures/free-port.ts';
import { recordShell, type Seen } from './shell-recorder.ts';

const root = join(import.meta.dirname, '../..');
const binary = installedElectron(root, process.env);

/** Which of the two runs here. */
export const desktopKind = binary === undefined ? 'stand-in' : 'electron';

/** The module as a function in that process sees it: it runs elsewhere and has no types here. */
// biome-ignore lint/suspicious/noExplicitAny: two modules of one shape, one of them without types.
type Electron = any;

export interface DesktopApp {
  /** Runs a function in the main process: it sees its arguments and nothing else. */
  evaluate<T>(what: (electron: Electron, given?: unknown) => T, given?: unknown): Promise<Awaited<T>>;
  pages(): Page[];
  seen(): Promise<Seen>;
  /** Asks it to quit; gives its exit code. */
  quit(): Promise<number | null>;
  process: ChildProcess;
  printed(): string;
}

export interface LaunchOptions {
  dataDir: string;
  words?: string[];
  env?: Record<string, string>;
}

const wordsOf = ({ dataDir, words = [] }: LaunchOptions) => ['--port', '0', '--otlp-ports', 'off', '--data', dataDir, ...words];
const seenIn = (evaluate: DesktopApp['evaluate']) => () => evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** A display for windows on a machine that has none. */
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
    args: [root, ...sandbox, ...wordsOf(options)],
    env: { ...(process.env as Record<string, string>), ...options.env },
  });
  let printed = '';
  app.process().stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const evaluate = ((what: never, given: never) => app.evaluate(what, given)) as DesktopApp['evaluate'];
  await evaluate(recordShell);
  const ended = once(app.process(), 'exit').then(([code]) => code as number | null);
  return {
    evaluate,
    pages: () => app.windows(),
    seen: seenIn(evaluate),
    quit: async () => {
      await evaluate(({ app: own }) => void setTimeout(() => own.quit(), 0));
      return ended;
    },
    process: app.process(),
    printed: () => printed,
  };
}

function forkMain(options: LaunchOptions, env: Record<string, string>): ChildProcess {
  const execArgv = ['--import', join(root, 'e2e/electron/boot.mjs')];
  return fork(join(root, 'out/main/index.js'), wordsOf(options), {
    execArgv,
    silent: true,
    cwd: options.dataDir,
    env: { ...process.env, ...env },
  });
}

/** Calls into a process that boot.mjs listens in. */
function callerOf(child: ChildProcess, printed: () => string): DesktopApp['evaluate'] {
  let sent = 0;
  return <T>(what: (electron: Electron, given?: unknown) => T, given?: unknown) =>
    new Promise<Awaited<T>>((resolve, reject) => {
      sent += 1;
      const id = sent;
      const over = () => reject(new Error(`The app has ended: ${printed()}`));
      const take = (reply: { id: number; value?: Awaited<T>; error?: string }) => {
        if (reply.id !== id) return;
        child.off('message', take);
        child.off('exit', over);
        if (reply.error === undefined) resolve(reply.value as Awaited<T>);
        else reject(new Error(reply.error));
      };
      child.on('message', take);
      child.once('exit', over);
      child.send({ id, source: String(what), given });
    });
}

async function onStandIn(options: LaunchOptions): Promise<DesktopApp> {
  const port = await freePort();
  const chromiumPath = systemChromium() ?? chromium.executablePath();
  const child = forkMain(options, { ...options.env, STAND_IN_CHROMIUM: chromiumPath, STAND_IN_PORT: String(port) });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const evaluate = callerOf(child, () => printed);
  await evaluate(recordShell);
  let browser: Browser | undefined;
  // Only a started Chromium can be connected to, and it starts with the first window.
  await evaluate(async ({ BrowserWindow }) => {
    while (BrowserWindow.getAllWindows().length === 0) await new Promise((wake) => setTimeout(wake, 20));
    await BrowserWindow.getAllWindows()[0].webContents.page;
  });
  browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return {
    evaluate,
    pages: () => browser.contexts().flatMap((context) => context.pages().filter((page) => page.url().startsWith('http'))),
    seen: seenIn(evaluate),
    quit: async () => {
      await evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
      const code = await ended;
      await browser?.close().catch(() => {});
      return code;
    },
    process: child,
    printed: () => printed,
  };
}

export const launchDesktop = binary === undefined ? onStandIn : onElectron;

/** Starts it a second time on the same data, as the system does for a link or a file; gives the exit code. */
export async function launchAgain(options: LaunchOptions): Promise<number | null> {
  const words = ['--port', '0', '--data', options.dataDir, ...(options.words ?? [])];
  const child =
    binary === undefined
      ? forkMain(options, options.env ?? {})
      : spawn(binary, [root, ...words], { env: { ...process.env, ...options.env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
