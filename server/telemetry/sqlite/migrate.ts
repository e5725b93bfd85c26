import type { Database } from 'better-sqlite3';
import { StorageError } from '../storage-error.ts';
import { migrations } from './migrations/index.ts';

/** 'GLAS' in ASCII: tells our files from other people's databases. */
export const applicationId = 0x474c4153;

const versionOf = (db: Database): number => Number(db.pragma('user_version', { simple: true }));

/** @throws StorageError `newer_schema` for a store written by a later version */
export function refuseNewer(db: Database): void {
  const version = versionOf(db);
  if (version <= migrations.length) return;
  throw new StorageError(
    'newer_schema',
    `This store has schema ${version}; this version of Glasshouse knows ${migrations.length}. Start the newer version, or choose another data folder with --data.`,
  );
}

/** Brings a store to the newest schema, all in one transaction. */
export function migrate(db: Database, to: number = migrations.length): void {
  const version = versionOf(db);
  if (version >= to) return;
  const upgrade = db.transaction(() => {
    for (const sql of migrations.slice(version, to)) db.exec(sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${to}`);
  });
  upgrade.immediate();
}
