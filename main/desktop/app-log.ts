/** The log and the crash reports of this process. Nothing of them leaves the machine. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { copyToLog, LogFile } from './log-file.ts';

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

export const isSandboxed = (app: ElectronApp) => !app.commandLine.hasSwitch('no-sandbox');

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
  if (!isSandboxed(app)) log.write('The app runs without a sandbox: --no-sandbox');
  removeOldCrashes(app);
  return log;
}

/** Oldest first: they are named by a random id, in a folder that depends on the system. */
export function crashFiles(app: ElectronApp): string[] {
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
