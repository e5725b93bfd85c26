/** Looks at the store of a data folder without changing it, also while a gateway writes to it. For `glasshouse doctor`. */
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '../telemetry/sqlite/open.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

export interface StoreState {
  file: string;
  exists: boolean;
  /** What is wrong with it; null when it is sound. */
  damage: string | null;
  sqlite: string;
  /** Of the database and its log. */
  bytes: number;
  /** Free bytes on its disk; null when there is no folder yet. */
  freeBytes: number | null;
  /** Whether others on this machine may read it. Never on Windows, which has other rights. */
  isOpenToOthers: boolean;
  /** Folders of damaged stores that were set aside. */
  setAside: string[];
}

export function inspectStore(dataDir: string): StoreState {
  const file = telemetryFile(dataDir);
  const exists = existsSync(file);
  const sizes = ['', '-wal'].map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0);
  const aside = join(dataDir, 'quarantine');
  return {
    file,
    exists,
    ...(exists ? integrity(file) : { damage: null, sqlite: '' }),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeBytes: existsSync(dataDir) ? freeBytes(dataDir) : null,
    isOpenToOthers: process.platform !== 'win32' && exists && (statSync(file).mode & 0o077) !== 0,
    setAside: existsSync(aside) ? readdirSync(aside).map((folder) => join(aside, folder)) : [],
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Every page is read; a store of some gigabytes takes some seconds. */
function integrity(file: string): { damage: string | null; sqlite: string } {
  try {
    const db = openReader(file);
    try {
      const sqlite = String(db.prepare('SELECT sqlite_version()').pluck().get());
      const found = db.prepare<[], string>('PRAGMA quick_check(3)').pluck().all();
      return { damage: found[0] === 'ok' ? null : found.join('; '), sqlite };
    } finally {
      db.close();
    }
  } catch (error) {
    return { damage: error instanceof Error ? error.message : String(error), sqlite: '' };
  }
}
