/**
 * What a report of a problem should contain, as text to be pasted: versions, settings, crashes and the last lines of the log. No trace: the
 * log has none, and the folder of the user's home is written as `~`.
 */

export interface Diagnosed {
  version: string;
  isPackaged: boolean;
  /** Of Electron, Chromium and Node. */
  versions: Partial<Record<'electron' | 'chrome' | 'node', string>>;
  platform: NodeJS.Platform;
  arch: string;
  /** Version of the system's kernel. */
  release: string;
  /** Such as "Ubuntu 24.04 (GNOME)"; absent where the system does not tell. */
  desktop?: string | undefined;
  isSandboxed: boolean;
  dataDir: string;
  home: string;
  /** Text of desktop.json; null when there is none. */
  settings: string | null;
  /** File names of crash reports. */
  crashes: readonly string[];
  /** Lines of the log, oldest first. */
  log: readonly string[];
}

/** @returns lines of text, for the clipboard */
export function diagnosticsText(of: Diagnosed): string {
  const { versions, crashes, log } = of;
  const text = [
    `Glasshouse ${of.version}${of.isPackaged ? '' : ' (from sources)'}`,
    `Electron ${versions.electron ?? 'unknown'}, Chromium ${versions.chrome ?? 'unknown'}, Node ${versions.node ?? 'unknown'}`,
    `${of.platform} ${of.arch} ${of.release}${of.desktop === undefined ? '' : `, ${of.desktop}`}`,
    `Sandbox: ${of.isSandboxed ? 'on' : 'OFF'}`,
    `Data folder: ${of.dataDir}`,
    `Crash reports: ${crashes.length === 0 ? 'none' : crashes.join(', ')}`,
    '',
    `Settings: ${of.settings?.trim() ?? 'defaults'}`,
    '',
    `Last ${log.length} lines of the log:`,
    ...log,
    '',
  ].join('\n');
  return withoutHome(text, of.home);
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** As a path, in JSON, where a backslash is doubled, and in the addresses of a stack. Windows does not tell upper case from lower case. */
function withoutHome(text: string, home: string): string {
  const slashes = home.replaceAll('\\', '/');
  const spellings = [home, JSON.stringify(home).slice(1, -1), slashes, encodeURI(slashes)];
  const known = [...new Set(spellings)].filter((spelling) => spelling.length > 1).sort((a, b) => b.length - a.length);
  return known.reduce((clean, spelling) => clean.replace(new RegExp(`${escapePattern(spelling)}(?![\\w-])`, 'gi'), '~'), text);
}
