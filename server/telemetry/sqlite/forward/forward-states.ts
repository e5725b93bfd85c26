/** How forwarding stands: what is kept of each destination, what waits for it, and what became of traces there. */
import type { ForwardKind, ForwardRecord, ParkedLetter, TraceForwarding, Waiting } from '../../forward-store.ts';
import { OtlpText } from '../capsule/otlp-text.ts';
import { readOrWhy } from '../damaged.ts';
import { readStoredId } from '../id-codec.ts';
import { nowhere } from '../read/lookup.ts';
import type { ReadAnswer, Reading } from '../read/reader.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import { kind } from './forward-rows.ts';

const kindNames: Record<number, ForwardKind> = { [kind.span]: 'spans', [kind.log]: 'logs', [kind.score]: 'scores' };
const idOf = '(SELECT id FROM forward WHERE name = ?)';

type State = TraceForwarding & { forward: number };

export class ForwardStates {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  installation(): string {
    return this.#reading.db.prepare<[], string>('SELECT id FROM installation').pluck().get() ?? '';
  }

  list(scope: number): ForwardRecord[] {
    const rows = this.#reading.db
      .prepare<[number], Omit<ForwardRecord, 'automatic'> & { automatic: number }>(
        `SELECT name, created_ms, automatic, about, trouble, last_error, success_ms, receipt, sent, refused, refusal
         FROM forward WHERE scope = ? ORDER BY id`,
      )
      .all(scope);
    return rows.map((row) => ({ ...row, automatic: row.automatic === 1 }));
  }

  waiting(name: string): Waiting {
    const { db } = this.#reading;
    const counts = new Map(
      db.prepare<[string], [number, number]>(`SELECT kind, count(*) FROM outgoing WHERE forward = ${idOf} GROUP BY kind`).raw().all(name),
    );
    const parked = db.prepare<[string], number>(`SELECT count(*) FROM parked WHERE forward = ${idOf}`).pluck().get(name) ?? 0;
    const of = (which: number) => counts.get(which) ?? 0;
    return { spans: of(kind.span), logs: of(kind.log), scores: of(kind.score), parked, oldest_ms: this.#oldest(name) };
  }

  /** In the order asked; null for a trace that is not there. */
  traces(scope: number, traceIds: readonly string[]): (TraceForwarding[] | null)[] {
    const { db, lookup } = this.#reading;
    // Letters about scores know no trace.
    const waiting = db.prepare<[number], { forward: number; waiting: number }>(
      `SELECT forward, sum(kind = ${kind.span}) AS waiting FROM outgoing WHERE trace = ? GROUP BY forward`,
    );
    const parked = db.prepare<[number], { forward: number; parked: number; parked_reason: string }>(
      'SELECT forward, count(*) AS parked, reason AS parked_reason, max(parked_ms) FROM parked WHERE trace = ? GROUP BY forward',
    );
    const sent = db.prepare<[number], Pick<State, 'forward' | 'sent' | 'sent_ms' | 'refused' | 'refusal'>>(
      'SELECT forward, spans AS sent, sent_ms, refused, refusal FROM forwarded WHERE trace = ?',
    );
    const names = new Map(db.prepare<[], [number, string]>('SELECT id, name FROM forward').raw().all());
    return traceIds.map((traceId) => {
      const trace = lookup.trace(scope, traceId);
      if (trace === nowhere) return null;
      const states = new Map<number, TraceForwarding>();
      for (const { forward, ...known } of [...waiting.all(trace), ...parked.all(trace), ...sent.all(trace)]) {
        const name = names.get(forward) ?? '';
        states.set(forward, { ...(states.get(forward) ?? { ...unknown, name }), ...known });
      }
      return [...states.values()];
    });
  }

  parked(name: string, { limit, offset }: { limit: number; offset: number }): ReadAnswer {
    const { db } = this.#reading;
    const total = db.prepare<[string], number>(`SELECT count(*) FROM parked WHERE forward = ${idOf}`).pluck().get(name) ?? 0;
    const rows = db
      .prepare<[string, number, number], Omit<ParkedLetter, 'kind'> & { kind: number; trace_id: unknown }>(
        `SELECT kind, (SELECT trace_id FROM trace WHERE trace.id = parked.trace) AS trace_id, reason, parked_ms,
           coalesce(iif(kind = ${kind.span}, (SELECT value FROM span JOIN term ON term.id = span.name WHERE span.id = row),
             iif(kind = ${kind.score}, (SELECT name FROM score WHERE id = row), '')), '') AS name
         FROM parked WHERE forward = ${idOf} ORDER BY parked_ms DESC, kind, row LIMIT ? OFFSET ?`,
      )
      .all(name, limit, offset);
    const value = rows.map((row) => ({
      ...row,
      kind: kindNames[row.kind] as ForwardKind,
      trace_id: row.trace_id === null ? null : readStoredId(row.trace_id),
    }));
    return { value, total };
  }

  /** Spans only: nothing else can be posted by itself. What is damaged has nothing to say. */
  parkedLines(name: string, most: number): ReadAnswer {
    const spans = this.#reading.db
      .prepare<[string, number], SentSpanRow>(
        `SELECT ${sentSpanColumns} FROM parked JOIN span ON span.id = parked.row
         WHERE parked.forward = ${idOf} AND parked.kind = ${kind.span} ORDER BY parked.row LIMIT ?`,
      )
      .all(name, most);
    const lines = spans.map((span) => {
      const { value: read } = readOrWhy(() => this.#reading.sentSpans.read({ ...span, flags: 0 }));
      if (!read) return '';
      const text = new OtlpText();
      text.add(read.sent);
      return `{"resourceSpans":${text.resourceSpans()}}\n`;
    });
    return { value: {}, total: 0, bytes: new Uint8Array(Buffer.from(lines.join(''))) };
  }

  /** When what waits longest was stored. */
  #oldest(name: string): number | null {
    const received = (table: string) =>
      `SELECT received_ms FROM ${table} JOIN block ON block.id = ${table}.block WHERE ${table}.id = first.row`;
    return (
      this.#reading.db
        .prepare<[string], number | null>(
          `WITH first AS (SELECT kind, row FROM outgoing WHERE forward = ${idOf} ORDER BY id LIMIT 1)
           SELECT CASE kind WHEN ${kind.span} THEN (${received('span')}) WHEN ${kind.log} THEN (${received('span_log')})
             ELSE (SELECT created_ms FROM score WHERE id = first.row) END FROM first`,
        )
        .pluck()
        .get(name) ?? null
    );
  }
}

const unknown = { waiting: 0, parked: 0, parked_reason: '', sent: 0, sent_ms: null, refused: 0, refusal: '' };
