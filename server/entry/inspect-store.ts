/** Inspects the store of a data folder without changing it, also while a gateway writes to it. For `glasshouse doctor`. */
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreDamage } from '../telemetry/damage.ts';
import { readDamage } from '../telemetry/sqlite/file/damage-record.ts';
import { readOrWhy } from '../telemetry/sqlite/file/damaged.ts';
import { logDamageText } from '../telemetry/sqlite/file/first-open.ts';
import { inspectLog } from '../telemetry/sqlite/file/log-check.ts';
import { type OpenDatabase, openReader } from '../telemetry/sqlite/file/open.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { RollupCheck, rollupKinds, type WrongRollup } from '../telemetry/sqlite/write/rollup-check.ts';
import { damagedBlocks, findingsIn } from './repair-store.ts';

export interface StoreState {
  file: string;
  exists: boolean;
  /** Damage of the store; null for none. */
  damage: string | null;
  /** Damage of the write-ahead log; null for none, or when it cannot be determined. */
  log: string | null;
  /** Blocks of contents that cannot be read. */
  damagedBlocks: number;
  /** The first wrong roll-ups as text; null when they could not be compared. */
  wrong: string[] | null;
  wrongCount: number;
  uncompared: number;
  /** Damage recorded by gateways. */
  known: StoreDamage | null;
  sqlite: string;
  /** Size of the database and its log. */
  bytes: number;
  /** Free bytes on its disk; null without a folder. */
  freeBytes: number | null;
  /** Whether other users of this machine may read it. Always false on Windows, which has other permissions. */
  isOpenToOthers: boolean;
  /** Quarantine folders of damaged stores. */
  setAside: string[];
}

/** @param isRunning whether a gateway writes to it, so that its log cannot be checked */
export function inspectStore(dataDir: string, isRunning: boolean): StoreState {
  const file = telemetryFile(dataDir);
  const exists = existsSync(file);
  const sizes = ['', '-wal'].map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0);
  const quarantineFolder = join(dataDir, 'quarantine');
  const log = exists && !isRunning ? inspectLog(`${file}-wal`) : null;
  return {
    file,
    exists,
    ...(exists ? content(file) : emptyContent),
    log: log && logDamageText(file, log),
    known: readDamage(dataDir),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeBytes: existsSync(dataDir) ? freeBytes(dataDir) : null,
    isOpenToOthers: process.platform !== 'win32' && exists && (statSync(file).mode & 0o077) !== 0,
    setAside: existsSync(quarantineFolder) ? readdirSync(quarantineFolder).map((folder) => join(quarantineFolder, folder)) : [],
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

type Content = Pick<StoreState, 'damage' | 'sqlite' | 'damagedBlocks' | 'wrong' | 'wrongCount' | 'uncompared'>;

const emptyContent: Content = { damage: null, sqlite: '', damagedBlocks: 0, wrong: [], wrongCount: 0, uncompared: 0 };
const findingsShown = 3;
const wrongShown = 100;

/** Reads every page and every span: a store of a few gigabytes takes a minute. */
function content(file: string): Content {
  try {
    const findings = findingsIn(file);
    const damage = findings.length === 0 ? null : findings.slice(0, findingsShown).join('; ');
    const db = openReader(file);
    try {
      const sqlite = String(db.prepare('SELECT sqlite_version()').pluck().get());
      const sums = readOrWhy(() => sumsOf(db)).value ?? { wrong: null, wrongCount: 0, uncompared: 0 };
      return { damage, sqlite, damagedBlocks: readOrWhy(() => damagedBlocks(db)).value ?? 0, ...sums };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ...emptyContent, damage: error instanceof Error ? error.message : String(error), wrong: null };
  }
}

function sumsOf(db: OpenDatabase): Pick<Content, 'wrong' | 'wrongCount' | 'uncompared'> {
  const check = new RollupCheck(db);
  const wrong: string[] = [];
  let wrongCount = 0;
  for (const kind of rollupKinds) {
    for (const rollup of check.findWrong(kind)) if (++wrongCount <= wrongShown) wrong.push(describeWrong(db, rollup));
  }
  return { wrong, wrongCount, uncompared: check.damaged };
}

function describeWrong(db: OpenDatabase, { kind, row, expected }: WrongRollup): string {
  const named = { trace: 'SELECT lower(hex(trace_id)) FROM trace', session: 'SELECT value FROM term', app: 'SELECT app_id FROM scope' };
  const name = readOrWhy(() => db.prepare(`${named[kind]} WHERE id = ?`).pluck().get(row)).value ?? `in row ${row}`;
  const columns = Object.entries(expected).map(([column, value]) => `${column} should be ${String(value)}`);
  return `The ${kind} ${String(name)} is wrong: ${columns.join(', ') || 'it has no traces'}`;
}
