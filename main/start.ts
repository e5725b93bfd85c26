/**
 * `npm start`: the desktop app; without Electron or a display, the gateway, which prints the address of the viewer.
 * Plain Node, and never imports electron: that package downloads 120 MB on import and fails where it cannot.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orQuit } from '../server/entry/command-line.ts';
import { type ElectronExit, exitCodeOf, failedToStart, installedElectron, whyNoSandbox, whyNoWindow } from './launch.ts';
import { readStartArgs } from './start-args.ts';

const root = join(import.meta.dirname, '..');
const { args, forGateway } = orQuit(() => readStartArgs(process.argv.slice(2)));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const node = (script: string, options: string[] = [], env = process.env) =>
  spawnSync(process.execPath, [...options, join(root, script)], { cwd: root, env, stdio: ['ignore', 2, 'pipe'] });

/** Gives up on a server that does not answer within 8 s; a download that has started has no limit. */
const fetchWithTimeout = `const send = fetch; globalThis.fetch = (url, options) => {
  const timeout = new AbortController(), timer = setTimeout(() => timeout.abort(), 8000);
  return send(url, { ...options, signal: timeout.signal }).finally(() => clearTimeout(timer)); };`;

const installer = 'node_modules/electron/install.js';

function findElectron(): string | undefined {
  const installed = installedElectron(root, process.env);
  if (installed !== undefined) return installed;
  // `npm ci --omit=dev` leaves it out.
  if (!existsSync(join(root, installer))) return undefined;
  process.stderr.write('Downloading Electron (120 MB, once)...\n');
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(fetchWithTimeout)}`];
  node(installer, nodeOptions, { ...process.env, NODE_USE_ENV_PROXY: '1' });
  return installedElectron(root, process.env);
}

/**
 * Runs in its own process group and is signalled exactly once: a terminal and npm both pass Ctrl-C on, and Electron takes a second signal as
 * an order to abort. On Windows Ctrl-C reaches Electron directly.
 */
function runDesktop(binary: string): Promise<ElectronExit> {
  const startedMs = performance.now();
  const isPosix = process.platform !== 'win32';
  // Editors that are Electron themselves leave this in their terminals.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  let isRequested = false;
  const end = () => {
    if (isPosix && !isRequested) child.kill('SIGTERM');
    isRequested = true;
  };
  // Before Electron starts: an unhandled signal would end only this process.
  for (const signal of signals) process.on(signal, end);
  const child = spawn(binary, [root, ...args], { stdio: 'inherit', env, detached: isPosix });
  return new Promise((resolve) => {
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      for (const name of signals) process.off(name, end);
      resolve({ code, signal, isRequested, afterMs: performance.now() - startedMs });
    };
    child.on('error', () => settle(126, null));
    child.on('exit', settle);
  });
}

async function runHeadless(why: string): Promise<undefined> {
  process.stdout.write(`No window, because ${why}: running the gateway; open its address in a browser.\n`);
  process.argv = [...process.argv.slice(0, 2), ...forGateway];
  await import('../server/entry/gateway.ts');
}

function sandboxRestriction(): string | undefined {
  const file = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @returns the exit code; undefined while the gateway runs, which sets its own */
async function start(): Promise<number | undefined> {
  if (node('scripts/ensure-viewer.ts').status !== 0) return 1;
  const why = whyNoWindow({ platform: process.platform, env: process.env, uid: process.getuid?.(), args });
  if (why !== undefined) return runHeadless(why);
  const binary = findElectron();
  if (binary === undefined) return runHeadless('Electron is not installed and could not be fetched');
  if (node('scripts/ensure-shell.ts').status !== 0) return 1;
  const exit = await runDesktop(binary);
  if (!failedToStart(exit)) return exitCodeOf(exit);
  const sandbox = whyNoSandbox(sandboxRestriction());
  return runHeadless(
    `Electron did not start (exit ${exitCodeOf(exit)}${sandbox === undefined ? '' : `; if it printed something about its sandbox: ${sandbox}`})`,
  );
}

const code = await start();
if (code !== undefined) process.exitCode = code;
