import { existsSync } from 'node:fs';
import type { ControlStore } from '../control/control-store.ts';
import { controlFile, isCurrent, openSqliteControl } from '../control/drizzle/store.ts';
import type { Clock } from '../platform/clock.ts';
import { folderInUse } from '../telemetry/sqlite/folder-lock.ts';

/**
 * The control store for a command, also beside a gateway that runs on it: SQLite takes their changes one after the other. Making it, and
 * bringing that of an earlier version up to date, are for nobody to do under a gateway.
 * @throws FolderInUse when a gateway runs and would find another store than it opened
 */
export async function openControlBeside(dataDir: string, clock: Clock): Promise<ControlStore> {
  const file = controlFile(dataDir);
  if (!existsSync(file) || !isCurrent(file)) {
    const inUse = await folderInUse(dataDir);
    if (inUse) throw inUse;
  }
  return openSqliteControl(dataDir, clock);
}
