import type { Database } from 'better-sqlite3';
import { StorageError } from '../../storage-error.ts';
import { migrations } from '../migrations/index.ts';

/** Tables of a store and its application id. */
export interface Schema {
  /** Four ASCII letters as a number: distinguishes our files from other databases, and our kinds of store from each other. */
  applicationId: number;
  /** In order; a store's version is the number of migrations applied. */
  migrations: readonly string[];
}

/** 'GLAS'. */
export const telemetrySchema: Schema = { applicationId: 0x474c4153, migrations };

const versionOf = (db: Database): number => Number(db.pragma('user_version', { simple: true }));

/** @throws StorageError `newer_schema` for a store written by a later version */
export function refuseNewer(db: Database, schema: Schema): void {
  const version = versionOf(db);
  const supported = schema.migrations.length;
  if (version <= supported) return;
  throw new StorageError(
    'newer_schema',
    `This store has schema ${version}; this version of Glasshouse supports schemas up to ${supported}. Start the newer version, or choose another data folder with --data.`,
  );
}

/** Brings a store to the newest schema, all in one transaction. */
export function migrate(db: Database, schema: Schema = telemetrySchema, to: number = schema.migrations.length): void {
  if (versionOf(db) >= to) return;
  const upgrade = db.transaction(() => {
    // Read again: another process may have done it while we waited for the lock.
    const version = versionOf(db);
    for (const sql of schema.migrations.slice(version, to)) db.exec(sql);
    db.pragma(`application_id = ${schema.applicationId}`);
    db.pragma(`user_version = ${Math.max(version, to)}`);
  });
  upgrade.immediate();
}
