/** Storage figures from the file and its counters. */
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RetentionRule, StoredStorage } from '../../file-maintenance.ts';
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { quarantineFolder, reasonFile } from '../file/quarantine-place.ts';
import { isoOf } from './iso-time.ts';

interface CountRow {
  traces: number;
  spans: number;
  sessions: number;
  scores: number;
  oldest_us: number | null;
  newest_us: number | null;
}

interface Arrival {
  trace: number;
  received_ms: number;
}

interface RetentionRow extends RetentionRule {
  removed_traces: number;
  removed_ms: number | null;
}

/** `2026-01-15T10-00-00.123Z`, followed by a number if that folder existed already. */
const folderName = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-\d+)?$/;

export class StorageReads {
  readonly #db: OpenDatabase;
  readonly #counts;
  readonly #older;
  readonly #arrival;
  readonly #newestTrace;
  readonly #retention;

  constructor(db: OpenDatabase) {
    this.#db = db;
    const listed = 'trace WHERE scope = scope.id AND span_count > 0 ORDER BY listed_us';
    const edge = (order: string) => `(SELECT listed_us FROM ${listed.replaceAll('scope.id', 'own_scope.id')} ${order} LIMIT 1)`;
    this.#counts = db.prepare<[number], CountRow>(
      `SELECT trace_count AS traces, span_count AS spans, (SELECT count(*) FROM session WHERE scope = own_scope.id AND trace_count > 0) AS sessions,
         (SELECT count(*) FROM score WHERE scope = own_scope.id) AS scores, ${edge('ASC')} AS oldest_us, ${edge('DESC')} AS newest_us
       FROM scope AS own_scope WHERE id = ?`,
    );
    this.#older = db.prepare<[number, number], { traces: number }>(
      'SELECT count(*) AS traces FROM trace WHERE scope = ? AND id < ? AND span_count > 0',
    );
    this.#arrival = db.prepare<[number], Arrival>(
      `SELECT span.trace, block.received_ms FROM span CROSS JOIN block ON block.id = span.block WHERE span.trace >= ? ORDER BY span.trace LIMIT 1`,
    );
    this.#newestTrace = db.prepare<[], number>('SELECT coalesce(max(trace), 0) FROM span').pluck();
    this.#retention = db.prepare<[], RetentionRow>('SELECT keep_days, max_bytes, removed_traces, removed_ms FROM retention');
  }

  /** An estimate: traces are numbered by their first arrival, and some receive spans later. */
  older(scope: number, before_ms: number): { traces: number } {
    let [low, high] = [1, this.#newestTrace.get() ?? 0];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const { trace, received_ms } = stored(this.#arrival.get(middle), 'A span of the newest trace');
      if (received_ms < before_ms) low = trace + 1;
      else high = middle - 1;
    }
    return this.#older.get(scope, low) ?? { traces: 0 };
  }

  storage(scope: number): StoredStorage {
    const file = this.#db.name;
    const folder = dirname(file);
    const { traces = 0, spans = 0, sessions = 0, scores = 0, oldest_us, newest_us } = this.#counts.get(scope) ?? {};
    const pragma = (name: string) => Number(this.#db.pragma(name, { simple: true }));
    const disk = statfsSync(folder);
    const { removed_ms, ...rule } = stored(this.#retention.get(), 'The retention rule');
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
      retention: { ...rule, removed_at: removed_ms === null ? null : new Date(removed_ms).toISOString() },
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
      const path = join(folder, name);
      const reason = join(path, reasonFile);
      return {
        folder: path,
        at: folderName.test(name) ? name.replace(folderName, '$1$2:$3:$4') : null,
        bytes: statSync(path).isDirectory() ? readdirSync(path).reduce((sum, file) => sum + sizeOf(join(path, file)), 0) : sizeOf(path),
        reason: existsSync(reason) ? readFileSync(reason, 'utf8').trim() : '',
      };
    });
}
