import { existsSync } from 'node:fs';
import type { ControlStore } from '../control/control-store.ts';
import { controlFile, isCurrent, openSqliteControl } from '../control/sqlite/open.ts';
import type { Clock } from '../platform/clock.ts';
import { folderInUse } from '../telemetry/sqlite/file/folder-lock.ts';

/**
 * Opens the control store for a command, also while a gateway runs: SQLite serialises their changes. Creation and migration are refused while
 * a gateway runs.
 * @throws FolderInUse when a gateway runs and the store would have to be created or migrated
 */
export async function openControlBeside(dataDir: string, clock: Clock): Promise<ControlStore> {
  const file = controlFile(dataDir);
  if (!existsSync(file) || !isCurrent(file)) {
    const inUse = await folderInUse(dataDir);
    if (inUse) throw inUse;
  }
  return openSqliteControl(dataDir, clock);
}
