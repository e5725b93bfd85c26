/** Writes a trace archive in memory. All reads are in one snapshot, so that spans and scores match. */
import { zstdCompressSync } from 'node:zlib';
import { archiveBytesMax, exportBytesMax } from '../../../../shared/contract/core/export-limits.ts';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import { version } from '../../../platform/version.ts';
import { openInMemory } from '../file/open.ts';
import {
  type ArchiveManifest,
  archiveApplicationId,
  archiveTables,
  archiveVersion,
  digestOf,
  type PartKind,
  sha256,
} from './archive-format.ts';
import { type ExportedTraces, ExportRefusal, type FoundTrace } from './exported-traces.ts';

const requestField = { traces: 'resourceSpans', logs: 'resourceLogs' } as const;

/** @throws ExportRefusal when the archive would be too large */
export function packArchive(
  exported: ExportedTraces,
  traces: readonly FoundTrace[],
  { scores, addedTags, createdMs }: { scores: readonly Score[]; addedTags: Record<string, string[]>; createdMs: number },
): Buffer {
  const db = openInMemory();
  try {
    for (const sql of Object.values(archiveTables)) db.exec(sql);
    const insert = db.prepare('INSERT INTO part (kind, size, sha256, data) VALUES (?, ?, ?, ?)');
    const hashes: Buffer[] = [];
    let total = 0;
    const put = (kind: PartKind, text: string) => {
      const bytes = Buffer.from(text);
      total += bytes.length;
      if (total > exportBytesMax) throw new ExportRefusal({ kind: 'too_large' });
      const hash = sha256(bytes);
      hashes.push(hash);
      insert.run(kind, bytes.length, hash, zstdCompressSync(bytes));
    };
    const counts = { traces: 0, logs: 0 };
    for (const { kind, value, count } of exported.parts(traces, true)) {
      counts[kind] += count;
      put(kind, `{"${requestField[kind]}":${value}}`);
    }
    if (scores.length > 0) put('scores', JSON.stringify(scores));
    const manifest: ArchiveManifest = {
      version: archiveVersion,
      created: new Date(createdMs).toISOString(),
      made_by: version,
      trace_ids: traces.map(({ trace_id }) => trace_id),
      spans: counts.traces,
      logs: counts.logs,
      scores: scores.length,
      added_tags: addedTags,
      digest: digestOf(hashes),
    };
    db.prepare('INSERT INTO manifest (json) VALUES (?)').run(JSON.stringify(manifest));
    db.pragma(`application_id = ${archiveApplicationId}`);
    db.pragma(`user_version = ${archiveVersion}`);
    const file = db.serialize();
    if (file.length > archiveBytesMax) throw new ExportRefusal({ kind: 'too_large' });
    return file;
  } finally {
    db.close();
  }
}
