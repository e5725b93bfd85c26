/** Opening at login on Linux: a desktop entry file. On macOS and Windows Electron has a call for it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const autostartFile = (configDir: string): string => join(configDir, 'autostart', 'glasshouse.desktop');

/** Quoting of the desktop entry specification: escaped inside double quotes, with a second escape for the file. */
const quote = (word: string): string =>
  `"${word
    .replace(/[\\"`$]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')}"`;

export function setAutostart(file: string, isEnabled: boolean, command: readonly string[]): void {
  if (!isEnabled) {
    rmSync(file, { force: true });
    return;
  }
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Glasshouse',
    `Exec=${command.map(quote).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
  ];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}
