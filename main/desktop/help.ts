/** The Help menu as data: version, log, diagnostics, and where the owner of this build answers questions. */
import type { Ask } from './ask.ts';
import type { Item } from './menu.ts';

export interface HelpOptions {
  version: string;
  platform: NodeJS.Platform;
  /** Of package.json; an address that is absent has no item. */
  addresses: { homepage?: string | undefined; bugs?: string | undefined };
  isSandboxed: boolean;
  ask: Ask;
  openLogs(): void;
  copyDiagnostics(): void;
  /** Asks before it opens a browser. */
  openExternal(url: string): void;
}

const sandboxOff = {
  type: 'warning' as const,
  message: "The app runs without Chromium's sandbox",
  detail:
    'This system does not let the app use user namespaces, so it was started with --no-sandbox. A page that breaks out of Chromium could then ' +
    'act as you. Ubuntu since 23.10 does this to AppImages: install the .deb instead, which brings a profile that allows it.',
  buttons: ['Close'],
};

const separator: Item = { type: 'separator' };

export function helpItems({ version, platform, addresses, isSandboxed, ask, ...actions }: HelpOptions): Item[] {
  const { homepage, bugs } = addresses;
  const links: Item[] = [
    ...(homepage ? [{ id: 'documentation', label: 'Documentation…', click: () => actions.openExternal(homepage) }] : []),
    ...(bugs ? [{ id: 'report-problem', label: 'Report a problem…', click: () => actions.openExternal(bugs) }] : []),
  ];
  return [
    ...links,
    ...(links.length > 0 ? [separator] : []),
    { id: 'open-logs', label: 'Open logs', click: actions.openLogs },
    { id: 'copy-diagnostics', label: 'Copy diagnostics', click: actions.copyDiagnostics },
    ...(isSandboxed ? [] : [{ id: 'sandbox-off', label: 'The sandbox is off…', click: () => void ask(sandboxOff) }]),
    separator,
    { id: 'version', label: `Version ${version}`, enabled: false },
    // On a Mac it is in the first menu.
    ...(platform === 'darwin' ? [] : [{ role: 'about' } satisfies Item]),
  ];
}

/** The addresses of package.json. `bugs` is an address or an object with one. @param text its content */
export function addressesOf(text: string): HelpOptions['addresses'] {
  const { homepage, bugs } = JSON.parse(text) as { homepage?: unknown; bugs?: unknown };
  const bugsUrl = typeof bugs === 'object' && bugs !== null ? (bugs as { url?: unknown }).url : bugs;
  const web = (value: unknown) => (typeof value === 'string' && /^https:\/\//.test(value) ? value : undefined);
  return { homepage: web(homepage), bugs: web(bugsUrl) };
}
