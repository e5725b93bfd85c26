/** What waits to be forwarded, as it is sent. */
import { gzipSync } from 'node:zlib';
import type { Score } from '../../../../shared/contract/scores.ts';
import type { Backlog, ForwardBatch } from '../../forward-store.ts';
import { OtlpText, resourceLogs } from '../capsule/otlp-text.ts';
import { readStoredId } from '../id-codec.ts';
import type { ReadAnswer, Reading } from '../read/reader.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import type { Place } from '../write/block-builder.ts';
import { kind } from './forward-rows.ts';

/** Before compression; one letter may be larger. */
const batchCharsMax = 4 * 1024 * 1024;

interface Letter {
  id: number;
  kind: number;
  row: number;
}

export class ForwardReads {
  readonly #reading: Reading;
  readonly #letters;
  readonly #span;
  readonly #log;
  readonly #score;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { db } = reading;
    this.#letters = db.prepare<[string, number], Letter>(
      'SELECT id, kind, row FROM outgoing WHERE forward = (SELECT id FROM forward WHERE name = ?) ORDER BY id LIMIT ?',
    );
    this.#span = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#log = db.prepare<[number], Place & { trace_id: unknown; span_id: unknown }>(
      'SELECT trace_id, span_id, block, at, size FROM span_log JOIN trace ON trace.id = span_log.trace WHERE span_log.id = ?',
    );
    this.#score = db.prepare<[number], { scope: number; score_id: string }>('SELECT scope, score_id FROM score WHERE id = ?');
  }

  /** The oldest letters of one kind, of at most so many; null when none waits. A row that is gone is passed over in silence. */
  next(name: string, most: number): ReadAnswer {
    const letters = this.#letters.all(name, most);
    const [first] = letters;
    if (!first) return { value: null, total: 0 };
    const end = letters.findIndex((letter) => letter.kind !== first.kind);
    const alike = end === -1 ? letters : letters.slice(0, end);
    if (first.kind === kind.span) return this.#spans(alike);
    return first.kind === kind.log ? this.#logs(alike) : this.#scores(alike);
  }

  backlog(name: string): Backlog | null {
    const waits = (of: number) => `(SELECT count(*) FROM outgoing WHERE forward = forward.id AND kind = ${of})`;
    return (
      this.#reading.db
        .prepare<[string], Backlog>(
          `SELECT ${waits(kind.span)} AS spans, ${waits(kind.log)} AS logs, ${waits(kind.score)} AS scores,
             (SELECT count(*) FROM parked WHERE forward = forward.id) AS parked, sent, refused, refusal
           FROM forward WHERE name = ?`,
        )
        .get(name) ?? null
    );
  }

  #spans(letters: readonly Letter[]): ReadAnswer {
    const text = new OtlpText();
    const taken = until(letters, ({ row }) => {
      const span = this.#span.get(row);
      // Its log records are letters of their own.
      if (span) text.add(this.#reading.sentSpans.read({ ...span, flags: 0 }).sent);
      return text.length < batchCharsMax;
    });
    return filled('spans', taken, text.count, `{"resourceSpans":${text.resourceSpans()}}`);
  }

  #logs(letters: readonly Letter[]): ReadAnswer {
    const logs = letters.flatMap(({ row }) => {
      const found = this.#log.get(row);
      if (!found) return [];
      const ids = { trace_id: readStoredId(found.trace_id), span_id: readStoredId(found.span_id) };
      return [this.#reading.sentSpans.logAt(found, ids)];
    });
    return filled('logs', letters, logs.length, `{"resourceLogs":${resourceLogs(logs) || '[]'}}`);
  }

  #scores(letters: readonly Letter[]): ReadAnswer {
    const scores = letters.flatMap(({ row }): Score[] => {
      const found = this.#score.get(row);
      const score = found && this.#reading.scores.find(found.scope, found.score_id);
      return score ? [score] : [];
    });
    return filled('scores', letters, scores.length, JSON.stringify({ scores }));
  }
}

/** Up to and with the first for which `goesOn` says no. */
function until(letters: readonly Letter[], goesOn: (letter: Letter) => boolean): readonly Letter[] {
  const last = letters.findIndex((letter) => !goesOn(letter));
  return last === -1 ? letters : letters.slice(0, last + 1);
}

function filled(of: ForwardBatch['kind'], letters: readonly Letter[], count: number, text: string): ReadAnswer {
  const value: ForwardBatch = { kind: of, from: (letters[0] as Letter).id, to: (letters.at(-1) as Letter).id, count };
  return { value, total: 0, bytes: new Uint8Array(gzipSync(text, { level: 1 })) };
}
