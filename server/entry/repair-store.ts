/** Repairs derived data of a store from its sources, for `glasshouse doctor --repair`. */
import { existsSync, renameSync } from 'node:fs';
import { checkStore } from '../telemetry/sqlite/file/check-thread.ts';
import { damageFile } from '../telemetry/sqlite/file/damage-record.ts';
import { DamageReporter } from '../telemetry/sqlite/file/damaged.ts';
import { openFirst } from '../telemetry/sqlite/file/first-open.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { type OpenDatabase, openReader } from '../telemetry/sqlite/file/open.ts';
import { RecordReader } from '../telemetry/sqlite/read/record-reader.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { RollupCheck, rollupKinds, type WrongRollup } from '../telemetry/sqlite/write/rollup-check.ts';
import { StorageError } from '../telemetry/storage-error.ts';

export interface RepairResult {
  /** Number of repaired rows. */
  rollups: number;
  /** Whether indexes were rebuilt, because they did not match their tables. */
  reindexed: boolean;
  /** Remaining damage. */
  left: string[];
  /** Whether no damage is left and the record of damage was removed. */
  isDamageCleared: boolean;
}

const batchSize = 500;

/**
 * Locks the data folder meanwhile: a gateway would continue with the sums in its memory.
 * @throws FolderInUse when a gateway has the folder; StorageError when the store cannot be opened for writing
 */
export async function repairStore(dataDir: string): Promise<RepairResult> {
  const file = telemetryFile(dataDir);
  if (!existsSync(file)) throw new StorageError('io', `There is no store in ${dataDir}`);
  const folderLock = await lockFolder(dataDir, 'glasshouse doctor');
  try {
    return repairFile(dataDir, file);
  } finally {
    folderLock.release();
  }
}

function repairFile(dataDir: string, file: string): RepairResult {
  const { db } = openFirst(file);
  try {
    const reindexed = findingsIn(file).length > 0 && reindex(db);
    const rollups = repairRollups(db);
    const left = leftIn(db, file);
    db.pragma('wal_checkpoint(TRUNCATE)');
    return { rollups, reindexed, left, isDamageCleared: left.length === 0 && clearDamageRecord(dataDir) };
  } finally {
    db.close();
  }
}

/** Damage that remains after all repairs. */
function leftIn(db: OpenDatabase, file: string): string[] {
  const check = new RollupCheck(db);
  let wrong = 0;
  for (const of of rollupKinds) for (const _ of check.findWrong(of)) wrong++;
  wrong += check.damaged;
  const blocks = damagedBlocks(db);
  return [
    ...findingsIn(file),
    ...(wrong > 0 ? [`${wrong} rows of sums cannot be repaired`] : []),
    ...(blocks > 0 ? [`The contents of ${blocks} blocks of spans cannot be read`] : []),
  ];
}

export const findingsIn = (file: string): string[] => [...checkStore(openReader(file))].flat().map(({ why }) => why);

/** False when the table of an index cannot be read, because then its rows are damaged. */
function reindex(db: OpenDatabase): boolean {
  try {
    db.exec('REINDEX');
    return true;
  } catch {
    return false;
  }
}

/** In small transactions, so that the log stays short. */
function repairRollups(db: OpenDatabase): number {
  const check = new RollupCheck(db);
  let repaired = 0;
  let batch: WrongRollup[] = [];
  const save = db.transaction(() => {
    for (const wrong of batch) check.repair(wrong);
  });
  const step = () => {
    save();
    repaired += batch.length;
    batch = [];
  };
  for (const of of rollupKinds) {
    for (const wrong of check.findWrong(of)) if (batch.push(wrong) === batchSize) step();
    step();
  }
  return repaired;
}

/** Number of unreadable blocks. Contents have checksums of their own, so each block is read, one at a time. */
export function damagedBlocks(db: OpenDatabase): number {
  const records = new RecordReader(db);
  const damageReporter = new DamageReporter();
  let count = 0;
  for (const id of db.prepare<[], number>('SELECT id FROM block').pluck().all()) {
    if (damageReporter.read('row', id, () => records.bytes({ block: id, at: 0, size: 1 })) === null) count++;
  }
  records.forget();
  return count;
}

function clearDamageRecord(dataDir: string): boolean {
  const note = damageFile(dataDir);
  if (!existsSync(note)) return false;
  renameSync(note, `${note}.repaired`);
  return true;
}
