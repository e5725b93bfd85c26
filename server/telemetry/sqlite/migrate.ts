import type { Database } from 'better-sqlite3';
import { StorageError } from '../storage-error.ts';
import { migrations } from './migrations/index.ts';

/** 'GLAS' in ASCII: tells our files from other people's databases. */
export const applicationId = 0x474c4153;

/**
 * Brings a store to the newest schema, all in one transaction.
 * @throws StorageError `newer_schema` for a store written by a later version: nothing is touched.
 */
export function migrate(db: Database, to: number = migrations.length): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > migrations.length) {
    throw new StorageError(
      'newer_schema',
      `This store has schema ${version}; this version of Glasshouse knows ${migrations.length}. Start the newer version, or choose another data folder with --data.`,
    );
  }
  if (version >= to) return;
  const upgrade = db.transaction(() => {
    for (const sql of migrations.slice(version, to)) db.exec(sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${to}`);
  });
  upgrade.immediate();
}
