/**
 * Reads a trace archive of unknown origin. The database is opened in memory, so no path is ever touched. Its schema must equal ours letter
 * for letter before any query, so that no foreign trigger, view, index or constraint runs. Then every count and hash must match, and every
 * span and log record must be acceptable to ingest.
 */
import { zstdDecompressSync } from 'node:zlib';
import { exportBytesMax } from '../../../../shared/contract/core/export-limits.ts';
import { decodeJson } from '../../../ingest/otlp/decode-json.ts';
import { decodeLogsJson } from '../../../ingest/otlp/decode-logs-json.ts';
import { UnreadableRequest } from '../../../ingest/otlp/decoded.ts';
import { findJsonBomb } from '../../../ingest/otlp/scan-json.ts';
import { type OpenDatabase, openBytes } from '../file/open.ts';
import { resourceKey } from '../file/resource-key.ts';
import {
  type ArchiveManifest,
  archiveApplicationId,
  archiveTables,
  archiveVersion,
  digestOf,
  type PartRow,
  readManifest,
  sha256,
} from './archive-format.ts';

/** The file is not a valid trace archive. The message is for the user who chose it. */
export class BadArchive extends Error {}

export interface ArchiveContents {
  manifest: ArchiveManifest;
  parts: { signal: 'traces' | 'logs'; bytes: Buffer }[];
  scores: unknown[];
}

const bad = (why: string): never => {
  throw new BadArchive(why);
};

const magic = Buffer.from('SQLite format 3\0');

/** @throws BadArchive */
export function openArchive(bytes: Buffer): ArchiveContents {
  if (!bytes.subarray(0, magic.length).equals(magic)) bad('The file is not a trace archive: it is no SQLite database');
  try {
    const db = openBytes(bytes);
    try {
      requireOurs(db);
      return readContents(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    const code = String((error as { code?: unknown }).code ?? '');
    if (code.startsWith('SQLITE_')) bad('The file is damaged: SQLite cannot read it');
    throw error;
  }
}

function requireOurs(db: OpenDatabase): void {
  if (db.pragma('application_id', { simple: true }) !== archiveApplicationId)
    bad('The file is not a trace archive: it is a database of another program');
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version !== archiveVersion) bad(`The archive has format ${version}; this version of Glasshouse reads ${archiveVersion}`);
  const schema = db.prepare<[], { name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema').all();
  const isOurs = schema.length === Object.keys(archiveTables).length && schema.every(({ name, sql }) => archiveTables[name] === sql);
  if (!isOurs) bad('The archive holds tables, views or triggers that do not belong there');
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') bad('The file is damaged: its pages contradict each other');
}

function readContents(db: OpenDatabase): ArchiveContents {
  const texts = db.prepare<[], string>('SELECT json FROM manifest LIMIT 2').pluck().all();
  const manifest = texts.length === 1 ? readManifest(texts[0] as string) : null;
  if (!manifest) return bad('The manifest of the archive cannot be read');
  const contents: ArchiveContents = { manifest, parts: [], scores: [] };
  const judge = new ContentJudge(manifest);
  const hashes: Buffer[] = [];
  let total = 0;
  for (const row of db.prepare<[], PartRow>('SELECT kind, size, sha256, data FROM part ORDER BY id').iterate()) {
    total += row.size;
    if (row.size < 0 || total > exportBytesMax) bad(`The archive holds more than ${exportBytesMax} bytes`);
    const bytes = inflated(row);
    hashes.push(row.sha256);
    if (row.kind === 'scores') contents.scores.push(...judge.scores(bytes));
    else if (row.kind === 'traces' || row.kind === 'logs') {
      judge[row.kind](bytes);
      contents.parts.push({ signal: row.kind, bytes });
    } else bad('The archive holds parts of an unknown kind');
  }
  if (digestOf(hashes) !== manifest.digest) bad('The parts of the archive do not match its manifest');
  judge.finish(contents.scores);
  return contents;
}

function inflated({ data, size, sha256: hash }: PartRow): Buffer {
  let bytes: Buffer;
  try {
    bytes = zstdDecompressSync(data, { maxOutputLength: Math.max(size, 1) });
  } catch {
    return bad('A part of the archive cannot be unpacked');
  }
  if (bytes.length !== size || !sha256(bytes).equals(hash)) bad('A part of the archive does not match its hash');
  return bytes;
}

/** Validates content with the rules of ingest, because an import must not stop half way. */
class ContentJudge {
  readonly #manifest: ArchiveManifest;
  readonly #traces: Set<string>;
  readonly #resources: Set<string>;
  #spans = 0;
  #logs = 0;

  constructor(manifest: ArchiveManifest) {
    this.#manifest = manifest;
    this.#traces = new Set(manifest.trace_ids);
    this.#resources = new Set(manifest.trace_ids.map(keyText));
  }

  traces(bytes: Buffer): void {
    const { spans, rejected } = readable(() => decodeJson(bytes));
    if (rejected[0]) bad(`The archive holds a span that cannot be stored: ${rejected[0]}`);
    for (const { span } of spans) {
      this.#requireTrace(span.trace_id);
      this.#resources.add(keyText(span.span_id));
    }
    this.#spans += spans.length;
  }

  logs(bytes: Buffer): void {
    const { logs, rejected } = readable(() => decodeLogsJson(bytes));
    if (rejected[0]) bad(`The archive holds a log record that cannot be stored: ${rejected[0]}`);
    for (const { log } of logs) this.#requireTrace(log.trace_id);
    this.#logs += logs.length;
  }

  scores(bytes: Buffer): unknown[] {
    const bomb = findJsonBomb(bytes);
    if (bomb !== null) bad(`The scores of the archive are refused before they are read: ${bomb}`);
    try {
      const list: unknown = JSON.parse(bytes.toString());
      if (Array.isArray(list)) return list;
    } catch {}
    return bad('The scores of the archive cannot be read');
  }

  finish(scores: readonly unknown[]): void {
    const { spans, logs, scores: scoreCount } = this.#manifest;
    if (spans !== this.#spans || logs !== this.#logs || scoreCount !== scores.length)
      bad('The archive has a different number of spans or scores than its manifest');
    for (const score of scores) {
      const resource = (score as { resource_id?: unknown } | null)?.resource_id;
      if (typeof resource !== 'string' || !this.#resources.has(keyText(resource)))
        bad('The archive holds a score of something that is not in it');
    }
  }

  #requireTrace(traceId: string): void {
    if (!this.#traces.has(traceId)) bad('The archive holds spans of a trace that its manifest does not name');
  }
}

/** Hex ids have many spellings and one key. */
function keyText(id: string): string {
  const key = resourceKey(id);
  return typeof key === 'string' ? `text ${key}` : key.toString('hex');
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableRequest) bad(`The archive cannot be ingested: ${error.message}`);
    throw error;
  }
}
