/**
 * File format of a trace archive: a SQLite database with two tables. `manifest` has one row of JSON, `part` has zstd-compressed OTLP/JSON
 * requests of traces and of logs, and a list of scores. The hashes detect damage, not forgery: anybody can write an archive.
 */
import { createHash } from 'node:crypto';
import { isObject, isTextList } from '../file/damaged.ts';

/** 'GCAP' in ASCII. */
export const archiveApplicationId = 0x47434150;
export const archiveVersion = 1;

export const archiveTables: Record<string, string> = {
  manifest: 'CREATE TABLE manifest (json TEXT NOT NULL) STRICT',
  part: 'CREATE TABLE part (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, size INTEGER NOT NULL, sha256 BLOB NOT NULL, data BLOB NOT NULL) STRICT',
};

export type PartKind = 'traces' | 'logs' | 'scores';

export interface PartRow {
  kind: PartKind;
  /** Bytes of the JSON. */
  size: number;
  /** SHA-256 of the JSON. */
  sha256: Buffer;
  data: Buffer;
}

export interface ArchiveManifest {
  version: number;
  created: string;
  /** Version of Glasshouse that wrote the archive. */
  made_by: string;
  trace_ids: string[];
  spans: number;
  logs: number;
  scores: number;
  /** Tags that people gave, by trace id. Absent in archives of earlier versions. */
  added_tags?: Record<string, string[]>;
  /** SHA-256 in hex of the hashes of all parts in order. */
  digest: string;
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

export const digestOf = (hashes: readonly Buffer[]): string => sha256(Buffer.concat(hashes)).toString('hex');

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null when the text is not a manifest. Unknown fields of later versions are allowed. */
export function readManifest(text: string): ArchiveManifest | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const { version, created, made_by, trace_ids, spans, logs, scores, added_tags = {}, digest } = read as Record<string, unknown>;
  const isText = [created, made_by, digest].every((value) => typeof value === 'string');
  const isList = isTextList(trace_ids);
  const areTags = isObject(added_tags) && Object.values(added_tags as object).every(isTextList);
  return isText && isList && areTags && [version, spans, logs, scores].every(isCount) ? (read as ArchiveManifest) : null;
}
