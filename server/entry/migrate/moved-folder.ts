/** A data folder whose teams were moved to a cluster: what its gateway would receive now could not be moved after them. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../../platform/start-refusal.ts';

const markOf = (dataDir: string): string => join(dataDir, 'moved-to-cluster');

export function markMoved(dataDir: string): void {
  writeFileSync(markOf(dataDir), `${new Date().toISOString()}\n`, { mode: 0o600 });
}

/** @throws StartRefusal when the stores in the folder were moved */
export function requireNotMoved(dataDir: string): void {
  if (existsSync(markOf(dataDir)))
    throw new StartRefusal(
      `The teams of the data folder ${dataDir} were moved to a cluster: start its gateways. To go on here instead, delete ${markOf(dataDir)}.`,
    );
}
