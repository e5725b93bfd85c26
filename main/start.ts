/**
 * `npm start`: the desktop app; where no Electron or no display can be had, the gateway with the viewer at its address.
 * Plain Node, and never imports electron: that package downloads 120 MB on import and dies where it cannot.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { orQuit } from '../server/entry/command-line.ts';
import { type Ending, exitCodeOf, installedElectron, isStillborn, whyNoWindow } from './launch.ts';
import { readStartWords } from './start-words.ts';

const root = join(import.meta.dirname, '..');
const { args, forGateway } = orQuit(() => readStartWords(process.argv.slice(2)));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const node = (script: string, options: string[] = [], env = process.env) =>
  spawnSync(process.execPath, [...options, join(root, script)], { cwd: root, env, stdio: ['ignore', 2, 'pipe'] });

/** Gives a server that does not answer up after 8 s; a download that has begun may take its time. */
const impatient = `const ask = fetch; globalThis.fetch = (url, options) => {
  const patience = new AbortController(), timer = setTimeout(() => patience.abort(), 8000);
  return ask(url, { ...options, signal: patience.signal }).finally(() => clearTimeout(timer)); };`;

function electron(): string | undefined {
  const installed = installedElectron(root, process.env);
  if (installed !== undefined) return installed;
  process.stderr.write('Getting Electron (120 MB, once)...\n');
  const hurry = ['--import', `data:text/javascript,${encodeURIComponent(impatient)}`];
  node('node_modules/electron/install.js', hurry, { ...process.env, NODE_USE_ENV_PROXY: '1' });
  return installedElectron(root, process.env);
}

/**
 * Runs in its own process group and is signalled exactly once: a terminal and npm both pass Ctrl-C on, and Electron takes a second signal as
 * an order to abort. On Windows Ctrl-C reaches Electron directly.
 */
function desktop(binary: string): Promise<Ending> {
  const began = performance.now();
  const isPosix = process.platform !== 'win32';
  // Editors that are Electron themselves leave this in their terminals.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  let isAsked = false;
  const end = () => {
    if (isPosix && !isAsked) child.kill('SIGTERM');
    isAsked = true;
  };
  // Before Electron starts: an unhandled signal would end only this process.
  for (const signal of signals) process.on(signal, end);
  const child = spawn(binary, [root, ...args], { stdio: 'inherit', env, detached: isPosix });
  return new Promise((resolve) => {
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      for (const one of signals) process.off(one, end);
      resolve({ code, signal, isAsked, afterMs: performance.now() - began });
    };
    child.on('error', () => settle(126, null));
    child.on('exit', settle);
  });
}

async function headless(why: string): Promise<undefined> {
  process.stdout.write(`No window, because ${why}: running the gateway; open its address in a browser.\n`);
  process.argv = [...process.argv.slice(0, 2), ...forGateway];
  await import('../server/entry/gateway.ts');
}

/** The exit code, if it is not the gateway's to tell. */
async function start(): Promise<number | undefined> {
  if (node('scripts/ensure-viewer.ts').status !== 0) return 1;
  const why = whyNoWindow({ platform: process.platform, env: process.env, uid: process.getuid?.(), args });
  if (why !== undefined) return headless(why);
  const binary = electron();
  if (binary === undefined) return headless('Electron is not installed and could not be fetched');
  if (node('scripts/ensure-shell.ts').status !== 0) return 1;
  const ending = await desktop(binary);
  return isStillborn(ending) ? headless(`Electron did not start (exit ${exitCodeOf(ending)})`) : exitCodeOf(ending);
}

const code = await start();
if (code !== undefined) process.exitCode = code;
