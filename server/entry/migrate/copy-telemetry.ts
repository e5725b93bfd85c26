/**
 * Copies spans, log records and scores in the order of arrival, a piece at a time. What is durable in the cluster is noted there, so that a run that
 * was killed is continued; what is sent again is a duplicate there.
 */
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';
import type { Scope } from '../../platform/scope.ts';
import { scoreOf } from '../../telemetry/clickhouse/loaded/loaded-traces.ts';
import { batchesOf } from '../../telemetry/clickhouse/loaded/replay.ts';
import type { LogRow, RecordRow, ScoreRow } from '../../telemetry/clickhouse/stored-rows.ts';
import { appKey } from '../../telemetry/clickhouse/write/app-key.ts';
import { isMade, LongTexts, type SentLog, type SentSpan } from './sent-rows.ts';
import type { Progress } from './telemetry-progress.ts';
import type { Position, TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

const rowsAtOnce = 4_000;
/** Of records and long texts. */
const bytesAtOnce = 16 * 1024 * 1024;
const scoresAtOnce = 1_000;
/** So that the next rows are read while others are written. */
const writtenAtOnce = 2;
/** After so many pieces, what is durable is noted. */
const piecesOfNote = 4;

export interface Copied {
  spans: number;
  logs: number;
  scores: number;
}

type OnProgress = (copied: Copied, position: Position, end: Position) => void;

interface Piece {
  spans: SentSpan[];
  logs: SentLog[];
}

export class TelemetryCopy {
  readonly #source: TelemetrySource;
  readonly #target: TelemetryTarget;
  readonly #onProgress: OnProgress;
  /** What is being written. */
  readonly #writing: Promise<unknown>[] = [];

  constructor(source: TelemetrySource, target: TelemetryTarget, onProgress: OnProgress) {
    this.#source = source;
    this.#target = target;
    this.#onProgress = onProgress;
  }

  /** Copies what came since. @returns the progress that it noted */
  async pass(progress: Progress): Promise<{ progress: Progress; copied: Copied }> {
    const end = this.#source.end();
    const copied: Copied = { spans: 0, logs: 0, scores: 0 };
    await this.#copyReplaced(progress.copied, copied);
    await this.#copyLogsInPlace(progress.copied, copied);
    let at: Position = { ...progress.copied, block: end.block };
    const keep = async (next: Position) => {
      at = next;
      await this.flush();
      await this.#target.keepProgress({ ...progress, copied: at });
      this.#onProgress(copied, at, end);
    };
    await keep(at);
    let next = at;
    for (let pieces = 1; ; pieces++) {
      const piece = await this.#copyNext(() => this.#next(next, end));
      if (!piece) break;
      copied.spans += piece.spans.length;
      copied.logs += piece.logs.length;
      next = { ...next, span: piece.spans.at(-1)?.id ?? next.span, log: piece.logs.at(-1)?.id ?? next.log };
      if (pieces % piecesOfNote === 0) await keep(next);
    }
    await keep({ ...at, span: end.span, log: end.log });
    for (let scores = this.#scores(at.score, end.score); scores.length > 0; scores = this.#scores(at.score, end.score)) {
      await this.putScores(scores);
      copied.scores += scores.length;
      await keep({ ...at, score: scores.at(-1)?.id ?? at.score });
    }
    await keep({ ...at, score: end.score });
    return { progress: { ...progress, copied: at }, copied };
  }

  async #copyReplaced(since: Position, copied: Copied): Promise<void> {
    for (let last = 0; ; ) {
      const piece = await this.#copyNext(() => pieceOf({ spans: withinBytes(this.#source.replaced(last, since, rowsAtOnce)), logs: [] }));
      if (!piece) return;
      copied.spans += piece.spans.length;
      last = piece.spans.at(-1)?.id ?? last;
    }
  }

  async #copyLogsInPlace(since: Position, copied: Copied): Promise<void> {
    for (let last = 0; ; ) {
      const piece = await this.#copyNext(() =>
        pieceOf({ spans: [], logs: withinBytes(this.#source.logsInPlace(last, since, rowsAtOnce)) }),
      );
      if (!piece) return;
      copied.logs += piece.logs.length;
      last = piece.logs.at(-1)?.id ?? last;
    }
  }

  /** Selects a piece and reads its records of one moment: the gateway may delete them. */
  #copyNext(select: () => Piece | null): Promise<Piece | null> {
    return this.#source.inSnapshot(async () => {
      const piece = select();
      if (piece) await this.copy(piece);
      return piece;
    });
  }

  #next(at: Position, end: Position): Piece | null {
    const page = this.#source.spansAfter(at.span, end.span, rowsAtOnce);
    const spans = withinBytes(page);
    const isLast = spans.length === page.length && page.length < rowsAtOnce;
    const block = isLast ? end.block : Math.max(...spans.map((span) => span.block));
    const logs = withinBytes(this.#source.logsAfter(at.log, end.log, block, rowsAtOnce));
    return pieceOf({ spans, logs });
  }

  /** Begins to write the rows. They are durable when a later `flush` resolves. @throws StorageError of earlier ones */
  async copy({ spans, logs }: Piece): Promise<void> {
    const apps = Map.groupBy(inOrder(spans, logs), appKey);
    for (const rows of apps.values()) {
      const { tenant_id, app_id } = rows[0] as Scope;
      for (const batches of this.#batches(rows)) {
        while (this.#writing.length >= writtenAtOnce) await this.#writing.shift();
        await this.#begin(batches, (batch) => this.#target.write({ kind: 'batch', scope: { tenant_id, app_id }, batch, allowance: null }));
      }
    }
  }

  async #begin(batches: readonly PreparedBatch[], write: (batch: PreparedBatch) => Promise<unknown>): Promise<void> {
    let group: PreparedBatch[] = [];
    const beginGroup = () => {
      const written = Promise.all(group.map(write));
      // Its error is thrown to whoever waits for it.
      written.catch(() => {});
      this.#writing.push(written);
      group = [];
    };
    for (const batch of batches) {
      if (!batch.spans.some(({ clock_suspect }) => clock_suspect)) {
        group.push(batch);
        continue;
      }
      // Where a trace is listed follows from the arrival of a group of batches when a clock cannot be right: that batch is a group of its own.
      beginGroup();
      await this.flush();
      await write(batch);
    }
    beginGroup();
  }

  /** Resolves when everything that was copied is durable in the cluster. @throws StorageError */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.splice(0));
  }

  /** Batches that fit into memory together. */
  *#batches(rows: readonly (SentSpan | SentLog)[]): Generator<PreparedBatch[]> {
    let [records, logs, texts]: [RecordRow[], LogRow[], LongTexts] = [[], [], new LongTexts()];
    let size = 0;
    for (const [arrival, row] of rows.entries()) {
      this.#source.leftOut.read(row, () => {
        if ('hash' in row) logs.push({ ...this.#source.rows.log(row, texts), arrival });
        else if (!isMade(row)) records.push({ ...this.#source.rows.record(row, texts), arrival });
      });
      size += row.size;
      if (size + texts.length < bytesAtOnce) continue;
      yield batchesOf(records, logs, texts);
      [records, logs, texts, size] = [[], [], new LongTexts(), 0];
    }
    yield batchesOf(records, logs, texts);
  }

  #scores(after: number, last: number): SourceScore[] {
    return this.#source.db
      .prepare<[number, number], SourceScore>(`${scoreSql} AND score.id > ? AND score.id <= ? ORDER BY score.id LIMIT ${scoresAtOnce}`)
      .all(after, last);
  }

  /** @param scores in the order of arrival */
  async putScores(scores: readonly SourceScore[]): Promise<void> {
    const groups = Map.groupBy(scores, (row) => JSON.stringify([row.tenant_id, row.app_id, row.environment, row.environment_version]));
    for (const rows of groups.values()) {
      const { tenant_id, app_id, environment, environment_version: version } = rows[0] as SourceScore;
      const attribution: EnvironmentAttribution | null = environment === null ? null : { name: environment, version };
      await this.#target.write({ kind: 'scores', scope: { tenant_id, app_id }, scores: rows.map(scoreOf), attribution });
    }
  }
}

/** Selects a SourceScore, of apps that are not deleted. */
export const scoreSql = `SELECT score.*, scope.tenant_id, scope.app_id FROM score JOIN scope ON scope.id = score.scope WHERE scope.leaving = 0`;

export interface SourceScore extends Scope, Omit<ScoreRow, 'resource' | 'arrival'> {
  id: number;
  resource: unknown;
}

/** The first rows, at least one, whose records have so many bytes. */
function withinBytes<Row extends { size: number }>(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => {
    bytes += size;
    return bytes > bytesAtOnce && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

const pieceOf = (piece: Piece): Piece | null => (piece.spans.length + piece.logs.length === 0 ? null : piece);

/** Spans in their order, and each log record after the spans that were stored before it. */
function inOrder(spans: readonly SentSpan[], logs: readonly SentLog[]): (SentSpan | SentLog)[] {
  const rows: (SentSpan | SentLog)[] = [];
  let at = 0;
  for (const span of spans) {
    for (let log = logs[at]; log && log.block < span.block; log = logs[++at]) rows.push(log);
    rows.push(span);
  }
  return [...rows, ...logs.slice(at)];
}
