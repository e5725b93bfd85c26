/** The folders of the app: data, window state of Chromium, in one place that a launch option can move. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startFailure } from '../../server/entry/start-failure.ts';

/** The part of Electron's `app` that is needed here. */
interface AppPaths {
  getPath(name: 'appData'): string;
  setPath(name: string, path: string): void;
}

/**
 * Creates them, and tells Electron.
 * @param data of the launch options; else `GLASSHOUSE_DATA`, else the folder of the user's programs
 * @returns the data folder, as an absolute path
 * @throws an error whose message can be shown, when the folder cannot be created
 */
export function prepareFolders(data: string | undefined, app: AppPaths): string {
  const dataDir = resolve(data ?? process.env['GLASSHOUSE_DATA'] ?? join(app.getPath('appData'), 'Glasshouse'));
  // Chromium's own files do not belong among the user's traces.
  const sessionDir = join(dataDir, 'window');
  try {
    mkdirSync(sessionDir, { recursive: true });
  } catch (error) {
    throw new Error(startFailure(error, null, dataDir));
  }
  app.setPath('userData', dataDir);
  app.setPath('sessionData', sessionDir);
  return dataDir;
}
