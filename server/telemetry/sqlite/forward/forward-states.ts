/** Reads the forwarding state: destinations, counts of messages, and the outcome for each trace. */
import { OtlpText } from '../../../ingest/otlp/encode-json.ts';
import type { DeadLetter, ForwardKind, ForwardRecord, PendingCounts, TraceForwarding } from '../../forward-store.ts';
import { readOrWhy } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { stored } from '../file/stored-names.ts';
import { noRow } from '../read/lookup.ts';
import { ReadFile, ReadPage } from '../read/read-answer.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../read/sent-span.ts';
import { kind } from './forward-rows.ts';

const kindNames: Record<number, ForwardKind> = { [kind.span]: 'spans', [kind.log]: 'logs', [kind.score]: 'scores' };
const idOf = '(SELECT id FROM forward WHERE name = ?)';

type State = TraceForwarding & { forward: number };

export class ForwardStates {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  installation(_scope: number): string {
    return this.#context.db.prepare<[], string>('SELECT id FROM installation').pluck().get() ?? '';
  }

  list(scope: number): ForwardRecord[] {
    const rows = this.#context.db
      .prepare<[number], Omit<ForwardRecord, 'automatic'> & { automatic: number }>(
        `SELECT name, created_ms, automatic, about, ${stored.failure} AS failure, last_error, success_ms, receipt, sent, refused, refusal
         FROM forward WHERE scope = ? ORDER BY id`,
      )
      .all(scope);
    return rows.map((row) => ({ ...row, automatic: row.automatic === 1 }));
  }

  waiting(_scope: number, name: string): PendingCounts {
    const { db } = this.#context;
    const counts = new Map(
      db.prepare<[string], [number, number]>(`SELECT kind, count(*) FROM outgoing WHERE forward = ${idOf} GROUP BY kind`).raw().all(name),
    );
    const deadLetters =
      db.prepare<[string], number>(`SELECT count(*) FROM ${stored.deadLetters} WHERE forward = ${idOf}`).pluck().get(name) ?? 0;
    const countOf = (which: number) => counts.get(which) ?? 0;
    return {
      spans: countOf(kind.span),
      logs: countOf(kind.log),
      scores: countOf(kind.score),
      dead_letters: deadLetters,
      oldest_ms: this.#oldest(name),
    };
  }

  /** In the order of the ids; null for an unknown trace. */
  traces(scope: number, traceIds: readonly string[]): (TraceForwarding[] | null)[] {
    const { db, lookup } = this.#context;
    // Messages of scores have no trace.
    const waiting = db.prepare<[number], { forward: number; waiting: number }>(
      `SELECT forward, sum(kind = ${kind.span}) AS waiting FROM outgoing WHERE trace = ? GROUP BY forward`,
    );
    const deadLetters = db.prepare<[number], { forward: number; dead_letters: number; dead_letter_reason: string }>(
      `SELECT forward, count(*) AS dead_letters, reason AS dead_letter_reason, max(${stored.failedMs}) FROM ${stored.deadLetters} WHERE trace = ? GROUP BY forward`,
    );
    const sent = db.prepare<[number], Pick<State, 'forward' | 'sent' | 'sent_ms' | 'refused' | 'refusal'>>(
      'SELECT forward, spans AS sent, sent_ms, refused, refusal FROM forwarded WHERE trace = ?',
    );
    const names = new Map(db.prepare<[], [number, string]>('SELECT id, name FROM forward').raw().all());
    return traceIds.map((traceId) => {
      const trace = lookup.trace(scope, traceId);
      if (trace === noRow) return null;
      const states = new Map<number, TraceForwarding>();
      for (const { forward, ...values } of [...waiting.all(trace), ...deadLetters.all(trace), ...sent.all(trace)]) {
        const name = names.get(forward) ?? '';
        states.set(forward, { ...(states.get(forward) ?? { ...noState, name }), ...values });
      }
      return [...states.values()];
    });
  }

  deadLetters(_scope: number, name: string, { limit, offset }: { limit: number; offset: number }): ReadPage<DeadLetter> {
    const { db } = this.#context;
    const total = db.prepare<[string], number>(`SELECT count(*) FROM ${stored.deadLetters} WHERE forward = ${idOf}`).pluck().get(name) ?? 0;
    const rows = db
      .prepare<[string, number, number], Omit<DeadLetter, 'kind'> & { kind: number; trace_id: unknown }>(
        `SELECT kind, (SELECT trace_id FROM trace WHERE trace.id = ${stored.deadLetters}.trace) AS trace_id, reason, ${stored.failedMs} AS failed_ms,
           coalesce(iif(kind = ${kind.span}, (SELECT value FROM span JOIN term ON term.id = span.name WHERE span.id = row),
             iif(kind = ${kind.score}, (SELECT name FROM score WHERE id = row), '')), '') AS name
         FROM ${stored.deadLetters} WHERE forward = ${idOf} ORDER BY ${stored.failedMs} DESC, kind, row LIMIT ? OFFSET ?`,
      )
      .all(name, limit, offset);
    const value = rows.map((row) => ({
      ...row,
      kind: kindNames[row.kind] as ForwardKind,
      trace_id: row.trace_id === null ? null : readStoredId(row.trace_id),
    }));
    return new ReadPage(value, total);
  }

  /** Spans only, because other records cannot be posted on their own. Damaged records are skipped. */
  deadLetterLines(_scope: number, name: string, spansMax: number): ReadFile<object> {
    const spans = this.#context.db
      .prepare<[string, number], SentSpanRow>(
        `SELECT ${sentSpanColumns} FROM ${stored.deadLetters} JOIN span ON span.id = ${stored.deadLetters}.row
         WHERE ${stored.deadLetters}.forward = ${idOf} AND ${stored.deadLetters}.kind = ${kind.span} ORDER BY ${stored.deadLetters}.row LIMIT ?`,
      )
      .all(name, spansMax);
    const lines = spans.map((span) => {
      const { value } = readOrWhy(() => this.#context.sentSpans.read({ ...span, flags: 0 }));
      if (!value) return '';
      const text = new OtlpText();
      text.add(value.sent);
      return `{"resourceSpans":${text.resourceSpans()}}\n`;
    });
    return new ReadFile({}, new Uint8Array(Buffer.from(lines.join(''))));
  }

  /** Arrival time of the oldest message. */
  #oldest(name: string): number | null {
    const received = (table: string) =>
      `SELECT received_ms FROM ${table} JOIN block ON block.id = ${table}.block WHERE ${table}.id = first.row`;
    return (
      this.#context.db
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

const noState = { waiting: 0, dead_letters: 0, dead_letter_reason: '', sent: 0, sent_ms: null, refused: 0, refusal: '' };
