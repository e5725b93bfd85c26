/**
 * Reads a trace archive of unknown origin. The database is opened in memory, so no path is ever touched. Before any query, its schema must equal
 * ours exactly, so that no foreign trigger, view, index or constraint runs. Then every count and hash must match, and every span and log record
 * must be acceptable to ingest.
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

const reject = (why: string): never => {
  throw new BadArchive(why);
};

const magic = Buffer.from('SQLite format 3\0');

/** @throws BadArchive */
export function openArchive(bytes: Buffer): ArchiveContents {
  if (!bytes.subarray(0, magic.length).equals(magic)) reject('The file is not a trace archive: it is not an SQLite database');
  try {
    const db = openBytes(bytes);
    try {
      requireFormat(db);
      return readContents(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    const code = String((error as { code?: unknown }).code ?? '');
    if (code.startsWith('SQLITE_')) reject('The file is damaged: SQLite cannot read it');
    throw error;
  }
}

function requireFormat(db: OpenDatabase): void {
  if (db.pragma('application_id', { simple: true }) !== archiveApplicationId)
    reject('The file is not a trace archive: it is a database of another program');
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version !== archiveVersion) reject(`The archive has format ${version}; this version of Glasshouse reads ${archiveVersion}`);
  const schema = db.prepare<[], { name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema').all();
  const isExpected = schema.length === Object.keys(archiveTables).length && schema.every(({ name, sql }) => archiveTables[name] === sql);
  if (!isExpected) reject('The archive contains tables, views or triggers that do not belong in it');
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') reject('The file is damaged: its pages are inconsistent');
}

function readContents(db: OpenDatabase): ArchiveContents {
  const texts = db.prepare<[], string>('SELECT json FROM manifest LIMIT 2').pluck().all();
  const manifest = texts.length === 1 ? readManifest(texts[0] as string) : null;
  if (!manifest) return reject('The manifest of the archive cannot be read');
  const contents: ArchiveContents = { manifest, parts: [], scores: [] };
  const validator = new ContentValidator(manifest);
  const hashes: Buffer[] = [];
  let total = 0;
  for (const row of db.prepare<[], PartRow>('SELECT kind, size, sha256, data FROM part ORDER BY id').iterate()) {
    total += row.size;
    if (row.size < 0 || total > exportBytesMax) reject(`The archive contains more than ${exportBytesMax} bytes`);
    const bytes = inflated(row);
    hashes.push(row.sha256);
    if (row.kind === 'scores') contents.scores.push(...validator.scores(bytes));
    else if (row.kind === 'traces' || row.kind === 'logs') {
      validator[row.kind](bytes);
      contents.parts.push({ signal: row.kind, bytes });
    } else reject('The archive contains parts of an unknown kind');
  }
  if (digestOf(hashes) !== manifest.digest) reject('The parts of the archive do not match its manifest');
  validator.finish(contents.scores);
  return contents;
}

function inflated({ data, size, sha256: hash }: PartRow): Buffer {
  let bytes: Buffer;
  try {
    bytes = zstdDecompressSync(data, { maxOutputLength: Math.max(size, 1) });
  } catch {
    return reject('A part of the archive cannot be unpacked');
  }
  if (bytes.length !== size || !sha256(bytes).equals(hash)) reject('A part of the archive does not match its hash');
  return bytes;
}

/** Validates content with the rules of ingest, because an import must not stop half way. */
class ContentValidator {
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
    if (rejected[0]) reject(`The archive contains a span that cannot be stored: ${rejected[0]}`);
    for (const { span } of spans) {
      this.#requireTrace(span.trace_id);
      this.#resources.add(keyText(span.span_id));
    }
    this.#spans += spans.length;
  }

  logs(bytes: Buffer): void {
    const { logs, rejected } = readable(() => decodeLogsJson(bytes));
    if (rejected[0]) reject(`The archive contains a log record that cannot be stored: ${rejected[0]}`);
    for (const { log } of logs) this.#requireTrace(log.trace_id);
    this.#logs += logs.length;
  }

  scores(bytes: Buffer): unknown[] {
    const bomb = findJsonBomb(bytes);
    if (bomb !== null) reject(`The scores of the archive cannot be read safely: ${bomb}`);
    try {
      const list: unknown = JSON.parse(bytes.toString());
      if (Array.isArray(list)) return list;
    } catch {}
    return reject('The scores of the archive cannot be read');
  }

  finish(scores: readonly unknown[]): void {
    const { spans, logs, scores: scoreCount } = this.#manifest;
    if (spans !== this.#spans || logs !== this.#logs || scoreCount !== scores.length)
      reject('The archive has a different number of spans or scores than its manifest');
    for (const score of scores) {
      const resource = (score as { resource_id?: unknown } | null)?.resource_id;
      if (typeof resource !== 'string' || !this.#resources.has(keyText(resource)))
        reject('The archive contains a score of a trace or span that is not in it');
    }
  }

  #requireTrace(traceId: string): void {
    if (!this.#traces.has(traceId)) reject('The archive contains spans of a trace that its manifest does not name');
  }
}

/** Comparable text of an id, because hex ids have several spellings. */
function keyText(id: string): string {
  const key = resourceKey(id);
  return typeof key === 'string' ? `text ${key}` : key.toString('hex');
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableRequest) reject(`The archive cannot be ingested: ${error.message}`);
    throw error;
  }
}
