import { homedir } from 'node:os';
import { join } from 'node:path';

/** The platform's folder for application data, the one Electron calls `userData`. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (environment['GLASSHOUSE_DATA']) return environment['GLASSHOUSE_DATA'];
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Glasshouse');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Glasshouse');
  return join(environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Glasshouse');
}
