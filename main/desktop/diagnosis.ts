/** Log, crash reports and the Help menu of this process. Nothing of them leaves the machine. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Ask } from './ask.ts';
import { diagnosticsText } from './diagnostics.ts';
import { addressesOf, helpItems } from './help.ts';
import { copyToLog, LogFile } from './log-file.ts';
import type { Item } from './menu.ts';

/** The part of Electron's `app` that is needed here. */
export interface ElectronApp {
  isPackaged: boolean;
  commandLine: { hasSwitch(name: string): boolean };
  getVersion(): string;
  getAppPath(): string;
  getPath(name: 'home' | 'userData' | 'crashDumps'): string;
  setPath(name: string, path: string): void;
  on(event: 'child-process-gone', listener: (event: unknown, details: ProcessGone) => void): unknown;
  on(event: 'render-process-gone', listener: (event: unknown, contents: unknown, details: ProcessGone) => void): unknown;
}

interface ProcessGone {
  reason: string;
  exitCode: number;
  type?: string;
  name?: string;
}

/** A crash report is some megabytes of the memory of a process. */
const crashesMax = 5;
const shownLines = 60;

const isSandboxed = (app: ElectronApp) => !app.commandLine.hasSwitch('no-sandbox');

/**
 * Keeps what this process prints and how processes end. Call it before Chromium starts.
 * @param dataDir the log is in its folder `logs`, crash reports are in `logs/crashes`
 */
export function keepLog(dataDir: string, app: ElectronApp, crashes: { start(options: { uploadToServer: boolean }): void }): LogFile | null {
  const folder = join(dataDir, 'logs');
  let log: LogFile;
  try {
    log = new LogFile(folder);
    mkdirSync(join(folder, 'crashes'), { recursive: true });
    app.setPath('crashDumps', join(folder, 'crashes'));
    crashes.start({ uploadToServer: false });
  } catch (error) {
    console.error('There will be no log:', error);
    return null;
  }
  for (const stream of [process.stdout, process.stderr]) copyToLog(stream, log);
  const { electron, chrome, node } = process.versions;
  log.write(`Glasshouse ${app.getVersion()} started, process ${process.pid}, Electron ${electron}, Chromium ${chrome}, Node ${node}`);
  // Electron shows what nobody caught, and goes on.
  process.on('uncaughtExceptionMonitor', (error, origin) => log.write(`${origin}: ${error.stack ?? error.message}`));
  app.on('child-process-gone', (_, { type, reason, exitCode, name }) =>
    log.write(`A process ended: ${name ?? type}, ${reason}, exit code ${exitCode}`),
  );
  app.on('render-process-gone', (_, __, { reason, exitCode }) =>
    log.write(`The process of a page ended: ${reason}, exit code ${exitCode}`),
  );
  if (!isSandboxed(app)) log.write('Windows run without a sandbox: --no-sandbox');
  removeOldCrashes(app);
  return log;
}

/** Oldest first: they are named by a random id, in a folder that depends on the system. */
function crashFiles(app: ElectronApp): string[] {
  const folder = app.getPath('crashDumps');
  const writtenMs = (file: string) => statSync(join(folder, file)).mtimeMs;
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.dmp'));
    return files.sort((a, b) => writtenMs(a) - writtenMs(b));
  } catch {
    return [];
  }
}

function removeOldCrashes(app: ElectronApp): void {
  for (const file of crashFiles(app).slice(0, -crashesMax))
    try {
      rmSync(join(app.getPath('crashDumps'), file));
    } catch {
      // On Windows, one that another program has open stays for now.
    }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

interface HelpNeeds {
  app: ElectronApp;
  /** Null when there is none. */
  log: LogFile | null;
  ask: Ask;
  copy(text: string): void;
  openPath(path: string): void;
  openExternal(url: string): void;
}

export function helpMenu({ app, log, ask, copy, openPath, openExternal }: HelpNeeds): Item[] {
  const dataDir = app.getPath('userData');
  const { platform, arch, versions, env } = process;
  const diagnostics = () =>
    diagnosticsText({
      version: app.getVersion(),
      isPackaged: app.isPackaged,
      versions,
      platform,
      arch,
      release: release(),
      desktop: env['XDG_CURRENT_DESKTOP'],
      isSandboxed: isSandboxed(app),
      dataDir,
      home: app.getPath('home'),
      settings: readText(join(dataDir, 'desktop.json')),
      crashes: crashFiles(app),
      log: log?.tail(shownLines) ?? [],
    });
  return helpItems({
    version: app.getVersion(),
    platform,
    addresses: addressesOf(readText(join(app.getAppPath(), 'package.json')) ?? '{}'),
    isSandboxed: isSandboxed(app),
    ask,
    openLogs: () => openPath(log?.folder ?? dataDir),
    copyDiagnostics: () => copy(diagnostics()),
    openExternal,
  });
}
