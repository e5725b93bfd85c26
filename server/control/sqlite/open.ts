/** The control store on SQLite: one file beside the telemetry. */
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { openFirst } from '../../telemetry/sqlite/file/first-open.ts';
import { hasCurrentSchema } from '../../telemetry/sqlite/file/open.ts';
import { storageErrorKind } from '../../telemetry/sqlite/file/storage-error-kind.ts';
import { StorageError } from '../../telemetry/storage-error.ts';
import type { ControlStore } from '../control-store.ts';
import { ControlDatabase } from '../queries/control-database.ts';
import { controlStoreOver } from '../queries/control-store-over.ts';
import { translateErrors } from '../queries/translate-errors.ts';
import { SqliteEngine } from './engine.ts';
import { migrations } from './migrations/index.ts';

/** 'GLCO' in ASCII. */
const schema = { applicationId: 0x474c434f, migrations };
const checkpointPages = 500;

export const controlFile = (dataDir: string): string => join(dataDir, 'control.db');

/** Whether a control store has this schema version, so that opening it changes nothing. @throws StorageError when it cannot be read */
export const isCurrent = (file: string): boolean => hasCurrentSchema(file, schema);

/** @throws StorageError when the file is damaged, from another program, or from a later version */
export function openSqliteControl(dataDir: string, clock: Clock): ControlStore {
  const { db } = openFirst(controlFile(dataDir), schema);
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma('foreign_keys = ON');
  return translateErrors(controlStoreOver(new ControlDatabase(new SqliteEngine(db), clock)), storageFailure);
}

function storageFailure(error: unknown): StorageError | null {
  const errorKind = storageErrorKind(error);
  return errorKind && new StorageError(errorKind, (error as Error).message);
}
