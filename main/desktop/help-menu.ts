/** The Help menu of this process, and the diagnostics that it copies. */
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { crashFiles, type ElectronApp, isSandboxed } from './app-log.ts';
import type { Ask } from './ask.ts';
import { diagnosticsText } from './diagnostics.ts';
import { addressesOf, helpItems } from './help.ts';
import type { LogFile } from './log-file.ts';
import type { Item } from './menu.ts';

const shownLines = 60;

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
