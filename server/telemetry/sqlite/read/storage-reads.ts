/** What the store is like, from the file itself and the counts in it. */
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Storage } from '../../../../shared/contract/viewer-storage.ts';
import type { OpenDatabase } from '../open.ts';
import { quarantineFolder, reasonFile } from '../quarantine-place.ts';
import { isoOf } from './span-wire.ts';

interface CountRow {
  traces: number;
  spans: number;
  sessions: number;
  scores: number;
  oldest_us: number | null;
  newest_us: number | null;
}

/** `2026-01-15T10-00-00.123Z`, with a number behind it where two were set aside at once. */
const folderName = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-\d+)?$/;

export class StorageReads {
  readonly #db: OpenDatabase;
  readonly #counts;

  constructor(db: OpenDatabase) {
    this.#db = db;
    const listed = 'trace WHERE scope = scope.id AND span_count > 0 ORDER BY listed_us';
    const edge = (order: string) => `(SELECT listed_us FROM ${listed.replaceAll('scope.id', 'here.id')} ${order} LIMIT 1)`;
    this.#counts = db.prepare<[number], CountRow>(
      `SELECT trace_count AS traces, span_count AS spans, (SELECT count(*) FROM session WHERE scope = here.id AND trace_count > 0) AS sessions,
         (SELECT count(*) FROM score WHERE scope = here.id) AS scores, ${edge('ASC')} AS oldest_us, ${edge('DESC')} AS newest_us
       FROM scope AS here WHERE id = ?`,
    );
  }

  storage(scope: number): Storage {
    const file = this.#db.name;
    const folder = dirname(file);
    const { traces = 0, spans = 0, sessions = 0, scores = 0, oldest_us, newest_us } = this.#counts.get(scope) ?? {};
    const pragma = (name: string) => Number(this.#db.pragma(name, { simple: true }));
    const disk = statfsSync(folder);
    return {
      file,
      folder,
      database_bytes: sizeOf(file),
      log_bytes: sizeOf(`${file}-wal`),
      reusable_bytes: pragma('freelist_count') * pragma('page_size'),
      disk_free_bytes: disk.bavail * disk.bsize,
      traces,
      spans,
      sessions,
      scores,
      oldest: oldest_us ? isoOf(oldest_us) : null,
      newest: newest_us ? isoOf(newest_us) : null,
      quarantined: quarantinedIn(quarantineFolder(file)),
    };
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function quarantinedIn(folder: string): Storage['quarantined'] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .reverse()
    .map((name) => {
      const at = join(folder, name);
      const reason = join(at, reasonFile);
      return {
        folder: at,
        at: folderName.test(name) ? name.replace(folderName, '$1$2:$3:$4') : null,
        bytes: statSync(at).isDirectory() ? readdirSync(at).reduce((sum, each) => sum + sizeOf(join(at, each)), 0) : sizeOf(at),
        reason: existsSync(reason) ? readFileSync(reason, 'utf8').trim() : '',
      };
    });
}
