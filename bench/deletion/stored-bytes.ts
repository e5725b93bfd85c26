/** Searches everything that a data folder holds: the bytes of its files, every value of the telemetry store, and what is compressed in these. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { inflateZstd } from '../../server/platform/zstd.ts';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';

const zstdMagic = Buffer.from('28b52ffd', 'hex');
/** A compressed value may follow a few bytes that describe it. */
const headMax = 16;

/** How often each of the patterns occurs, by its name, and in which files and columns. An uncompressed value counts twice. */
export interface Occurrences {
  counts: Record<string, number>;
  places: string[];
}

/** @param named the patterns whose places are listed */
export function searchStore(folder: string, patterns: Record<string, Buffer>, named: readonly string[]): Occurrences {
  const counts = Object.fromEntries(Object.keys(patterns).map((name) => [name, 0]));
  const places = new Set<string>();
  const search = (place: string, bytes: Buffer) => {
    for (const [name, pattern] of Object.entries(patterns))
      for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) {
        counts[name] = (counts[name] ?? 0) + 1;
        if (named.includes(name)) places.add(place);
      }
  };
  for (const file of filesOf(folder)) search(basename(file), readFileSync(file));
  for (const { place, bytes } of valuesOf(telemetryFile(folder))) search(place, bytes);
  return { counts, places: [...places] };
}

export const sizeOf = (folder: string): number => filesOf(folder).reduce((sum, file) => sum + statSync(file).size, 0);

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Every text and blob of every table; what is compressed also decompressed. */
function* valuesOf(file: string): Generator<{ place: string; bytes: Buffer }> {
  const db = new Database(file, { readonly: true });
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    for (const table of tables)
      for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).iterate())
        for (const [column, value] of Object.entries(row)) {
          const place = `${table}.${column}`;
          if (typeof value === 'string') yield { place, bytes: Buffer.from(value) };
          if (!Buffer.isBuffer(value)) continue;
          yield { place, bytes: value };
          const bytes = decompressed(value);
          if (bytes) yield { place, bytes };
        }
  } finally {
    db.close();
  }
}

function decompressed(value: Buffer): Buffer | null {
  const at = value.subarray(0, headMax + zstdMagic.length).indexOf(zstdMagic);
  if (at < 0) return null;
  try {
    return inflateZstd(value.subarray(at), value.length * 4);
  } catch {
    // An id or a hash may hold these four bytes by chance.
    return null;
  }
}
