/**
 * Records which rows of a copy of traces were written, and which rows of ClickHouse they replace. Triggers do it, so that no write of the
 * SQLite store can be missed.
 */
import type { Scope } from '../../../platform/scope.ts';
import { storeId } from '../../sqlite/file/id-codec.ts';
import type { OpenDatabase } from '../../sqlite/file/open.ts';

const tables = `
CREATE TEMP TABLE changed_span (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE changed_record (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE changed_trace (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE changed_log (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE changed_score (id INTEGER PRIMARY KEY);
CREATE TEMP TRIGGER span_inserted AFTER INSERT ON main.span BEGIN
  INSERT OR IGNORE INTO changed_span VALUES (NEW.id);
  INSERT OR IGNORE INTO changed_record VALUES (NEW.id);
END;
CREATE TEMP TRIGGER span_updated AFTER UPDATE ON main.span BEGIN INSERT OR IGNORE INTO changed_span VALUES (NEW.id); END;
CREATE TEMP TRIGGER span_replaced AFTER UPDATE OF block ON main.span BEGIN INSERT OR IGNORE INTO changed_record VALUES (NEW.id); END;
CREATE TEMP TRIGGER trace_inserted AFTER INSERT ON main.trace BEGIN INSERT OR IGNORE INTO changed_trace VALUES (NEW.id); END;
CREATE TEMP TRIGGER trace_updated AFTER UPDATE ON main.trace BEGIN INSERT OR IGNORE INTO changed_trace VALUES (NEW.id); END;
CREATE TEMP TRIGGER log_inserted AFTER INSERT ON main.span_log BEGIN
  INSERT OR IGNORE INTO changed_log VALUES (NEW.id);
  INSERT OR IGNORE INTO changed_trace VALUES (NEW.trace);
END;
CREATE TEMP TRIGGER log_moved AFTER UPDATE OF trace ON main.span_log BEGIN
  INSERT OR IGNORE INTO changed_trace VALUES (OLD.trace);
  INSERT OR IGNORE INTO changed_trace VALUES (NEW.trace);
END;
CREATE TEMP TRIGGER score_inserted AFTER INSERT ON main.score BEGIN INSERT OR IGNORE INTO changed_score VALUES (NEW.id); END;
-- Terms of a trace are read by trace here.
CREATE INDEX trace_term_trace ON trace_term (trace);
-- What ClickHouse holds: the order of arrival of each span and trace, and the hour of its row; -1 for none.
CREATE TEMP TABLE stored_span (id INTEGER PRIMARY KEY, arrival INTEGER NOT NULL, hour INTEGER NOT NULL);
CREATE TEMP TABLE stored_trace (id INTEGER PRIMARY KEY, arrival INTEGER NOT NULL, hour INTEGER NOT NULL);
`;

const changed = ['changed_span', 'changed_record', 'changed_trace', 'changed_log', 'changed_score'] as const;
type Changed = (typeof changed)[number];

export class ChangedRows {
  readonly #take: Map<Changed, { all(): number[] }>;
  readonly #clear;
  readonly #touchTrace;
  readonly #touchSpans;

  constructor(db: OpenDatabase) {
    db.exec(tables);
    this.#take = new Map(changed.map((table) => [table, db.prepare<[], number>(`SELECT id FROM ${table} ORDER BY id`).pluck()]));
    this.#touchTrace = db.prepare<[string, string, unknown]>(
      `INSERT OR IGNORE INTO changed_trace SELECT trace.id FROM trace JOIN scope ON scope.id = trace.scope
       WHERE tenant_id = ? AND app_id = ? AND trace_id = ?`,
    );
    this.#touchSpans = db.prepare('INSERT OR IGNORE INTO changed_span SELECT id FROM span WHERE trace IN (SELECT id FROM changed_trace)');
    this.#clear = changed.map((table) => db.prepare(`DELETE FROM ${table}`));
  }

  /** Row ids in ascending order. */
  of(table: Changed): number[] {
    return this.#take.get(table)?.all() ?? [];
  }

  /** Counts all rows of these traces as changed. */
  touch({ tenant_id, app_id }: Scope, traceIds: readonly string[]): void {
    for (const id of traceIds) this.#touchTrace.run(tenant_id, app_id, storeId(id));
    this.#touchSpans.run();
  }

  clear(): void {
    for (const statement of this.#clear) statement.run();
  }
}
