/** What waits to be forwarded, as it is sent. */
import { gzipSync } from 'node:zlib';
import type { Score } from '../../../../shared/contract/scores.ts';
import { noRedactionSetting, type RedactionProcessor, type RedactionSetting } from '../../../forwarding/redaction/redaction-processor.ts';
import type { Token } from '../../../forwarding/redaction/tokens.ts';
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import type { Backlog, ForwardBatch, ForwardKind } from '../../forward-store.ts';
import { OtlpText, resourceLogs } from '../capsule/otlp-text.ts';
import { readOrWhy } from '../damaged.ts';
import { readStoredId } from '../id-codec.ts';
import type { ReadAnswer, Reading } from '../read/reader.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import type { Place } from '../write/block-builder.ts';
import { CachedRedaction } from './cached-redaction.ts';
import { kind } from './forward-rows.ts';
import { Origins, unknownOrigin } from './origins.ts';

/** Before compression; one letter may be larger. */
const batchCharsMax = 4 * 1024 * 1024;

interface Letter {
  id: number;
  kind: number;
  row: number;
}

/** A letter whose record is damaged. */
export interface DamagedLetter {
  letter: number;
  reason: string;
}

/** What a batch says of itself to this side of the thread: its tokens are to be kept, and what is damaged parked, before it is handed on. */
export interface RedactedBatch extends ForwardBatch {
  tokens: Token[];
  damaged: DamagedLetter[];
}

/** A batch while it is gathered. */
class Gathering {
  readonly tokens = new Map<string, Token>();
  readonly stays: number[] = [];
  readonly damaged: DamagedLetter[] = [];

  /** What a letter holds; null when it is damaged, which costs it alone. */
  read<T>(letter: number, read: () => T): T | null {
    const { value, why } = readOrWhy(read);
    if (why !== undefined) this.damaged.push({ letter, reason: `Damaged in this store: ${why}` });
    return value;
  }

  /** What redaction let through, its tokens noted; null for what stays here. */
  pass<T extends { tokens: readonly Token[] }>(letter: number, left: T | null): T | null {
    if (left === null) this.stays.push(letter);
    else for (const token of left.tokens) this.tokens.set(token.token, token);
    return left;
  }
}

export class ForwardReads {
  readonly #reading: Reading;
  readonly #redaction = new CachedRedaction();
  readonly #origins: Origins;
  readonly #letters;
  readonly #span;
  readonly #log;
  readonly #score;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#origins = new Origins(reading);
    const { db } = reading;
    this.#letters = db.prepare<[string, number], Letter>(
      'SELECT id, kind, row FROM outgoing WHERE forward = (SELECT id FROM forward WHERE name = ?) ORDER BY id LIMIT ?',
    );
    this.#span = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#log = db.prepare<[number], Place & { trace: number; trace_id: unknown; span_id: unknown }>(
      'SELECT span_log.trace, trace_id, span_id, block, at, size FROM span_log JOIN trace ON trace.id = span_log.trace WHERE span_log.id = ?',
    );
    this.#score = db.prepare<[number], { scope: number; score_id: string }>('SELECT scope, score_id FROM score WHERE id = ?');
  }

  /** The oldest letters of one kind, of at most so many; null when none waits. A row that is gone is passed over in silence. */
  next(name: string, most: number, setting: RedactionSetting = noRedactionSetting): ReadAnswer {
    const letters = this.#letters.all(name, most);
    const [first] = letters;
    if (!first) return { value: null, total: 0 };
    const end = letters.findIndex((letter) => letter.kind !== first.kind);
    const alike = end === -1 ? letters : letters.slice(0, end);
    const redaction = this.#redaction.of(setting);
    if (first.kind === kind.span) return this.#spans(alike, redaction);
    return first.kind === kind.log ? this.#logs(alike, redaction) : this.#scores(alike, redaction);
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

  #spans(letters: readonly Letter[], redaction: RedactionProcessor): ReadAnswer {
    const text = new OtlpText();
    const gathering = new Gathering();
    const taken = until(letters, ({ id, row }) => {
      const span = this.#span.get(row);
      const read = span && gathering.read(id, () => this.#readSpan(span, redaction));
      const left = read && gathering.pass(id, redaction.span(read.sent, read.origin));
      if (left) text.add(left.sent);
      return text.length < batchCharsMax;
    });
    return filled('spans', taken, text.count, gathering, `{"resourceSpans":${text.resourceSpans()}}`);
  }

  /** Without its log records, which are letters of their own. */
  #readSpan(span: SentSpanRow, redaction: RedactionProcessor) {
    const { sent, stamp } = this.#reading.sentSpans.read({ ...span, flags: 0 });
    return { sent, origin: redaction.asksOrigin ? this.#origins.ofSpan(span.trace, sent, stamp) : unknownOrigin };
  }

  #logs(letters: readonly Letter[], redaction: RedactionProcessor): ReadAnswer {
    const gathering = new Gathering();
    const logs = letters.flatMap(({ id, row }): RawLog[] => {
      const found = this.#log.get(row);
      if (!found) return [];
      const ids = { trace_id: readStoredId(found.trace_id), span_id: readStoredId(found.span_id) };
      const read = gathering.read(id, () => ({
        log: this.#reading.sentSpans.logAt(found, ids),
        origin: redaction.asksOrigin ? this.#origins.ofSpanId(found.trace, found.span_id) : unknownOrigin,
      }));
      const left = read && gathering.pass(id, redaction.log(read.log, read.origin));
      return left ? [left.log] : [];
    });
    return filled('logs', letters, logs.length, gathering, `{"resourceLogs":${resourceLogs(logs) || '[]'}}`);
  }

  #scores(letters: readonly Letter[], redaction: RedactionProcessor): ReadAnswer {
    const gathering = new Gathering();
    const scores = letters.flatMap(({ id, row }): Score[] => {
      const found = this.#score.get(row);
      const score = found && this.#reading.scores.find(found.scope, found.score_id);
      if (!score) return [];
      const read = gathering.read(id, () => ({
        origin: redaction.asksOrigin ? this.#origins.ofResource(found.scope, score.resource_id) : unknownOrigin,
      }));
      const left = read && gathering.pass(id, redaction.score(score, read.origin));
      return left ? [left.score] : [];
    });
    return filled('scores', letters, scores.length, gathering, JSON.stringify({ scores }));
  }
}

/** Up to and with the first for which `goesOn` says no. */
function until(letters: readonly Letter[], goesOn: (letter: Letter) => boolean): readonly Letter[] {
  const last = letters.findIndex((letter) => !goesOn(letter));
  return last === -1 ? letters : letters.slice(0, last + 1);
}

function filled(
  of: ForwardKind,
  letters: readonly Letter[],
  count: number,
  { stays, tokens, damaged }: Gathering,
  text: string,
): ReadAnswer {
  const [from, to] = [(letters[0] as Letter).id, (letters.at(-1) as Letter).id];
  const stretch = { kind: of, from, to, letters: letters.length };
  const value: RedactedBatch = { ...stretch, count, withheld: stays.length, stays, tokens: [...tokens.values()], damaged };
  return { value, total: 0, bytes: new Uint8Array(gzipSync(text, { level: 1 })) };
}
