/** Statements of the journal. */
import type { Pool, QueryResultRow } from 'pg';
import type { Claim } from '../control/lease-store.ts';

export interface NewEntry {
  id: string;
  part: number;
  body: Uint8Array;
  /** Of the body before compression, bytes. */
  size: number;
}

export interface Entry {
  id: string;
  /** A later one has a higher number. */
  number: number;
  acknowledged: boolean;
  /** Its sender may still wait for the result. */
  isAwaited: boolean;
  body: Buffer;
}

/** How much of a part waits, and how long its oldest entry has waited, without those that are retried on their own, which hold up nobody. */
export interface Backlog {
  bytes: number;
  ageMs: number;
}

/** Entries of one commit: a statement has 65,535 parameters at most, and its text should stay short. */
export const entriesOfCommit = 256;

/** An instance that was not seen for this long has gone. */
const goneMs = 10_000;
/** What an owner takes at once: so many entries, of so many bytes before compression. */
export const takenMax = 256;
export const takenBytesMax = 16 * 1024 * 1024;

/** Each body is a parameter of its own, because only those are sent as bytes: an array of them is sent as hexadecimal text. */
const appendOf = (count: number): string => {
  const rows = Array.from({ length: count }, (_, row) => `($${4 * row + 1}::uuid, $${4 * row + 2}, $${4 * row + 3}, $${4 * row + 4})`);
  return `INSERT INTO journal (id, part, bytes, body) VALUES ${rows.join(', ')} ON CONFLICT DO NOTHING`;
};

/** Nobody waits longer. */
const awaitedMs = 20_000;
const isAwaited = `NOT acknowledged AND accepted_at > clock_timestamp() - interval '${awaitedMs} milliseconds'`;
const takeOf = (condition: string): string => `
SELECT id, number::float8 AS number, acknowledged, ${isAwaited} AS "isAwaited", body FROM journal WHERE number = ANY (ARRAY(
  SELECT number FROM (
    SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before FROM (
      SELECT number, bytes FROM journal WHERE part = $1 AND ${condition} ORDER BY number LIMIT ${takenMax}) AS first) AS summed
  WHERE before < ${takenBytesMax})) ORDER BY number`;
const take = takeOf('number <> ALL ($2::bigint[])');
const takeAgain = takeOf('number = ANY ($2::bigint[])');

const isOwner = 'EXISTS (SELECT 1 FROM lease WHERE name = $1 AND holder = $2 AND epoch = $3 FOR SHARE)';
const remove = `DELETE FROM journal WHERE id = ANY ($4::uuid[]) AND ${isOwner} RETURNING id`;
const removeUnacknowledged = `DELETE FROM journal WHERE id = ANY ($4::uuid[]) AND NOT acknowledged AND ${isOwner} RETURNING id`;
const keepFailure = `
WITH failed AS (DELETE FROM journal WHERE id = $4 AND ${isOwner} RETURNING id, part, bytes, body)
INSERT INTO journal_failure (id, part, bytes, reason, body) SELECT id, part, bytes, $5, body FROM failed ON CONFLICT DO NOTHING`;
const nextEpoch = `SELECT nextval('journal_epoch') AS epoch FROM lease WHERE name = $1 AND holder = $2 AND epoch = $3 FOR SHARE`;
const acknowledged = `SELECT id FROM journal WHERE id = ANY ($4::uuid[]) AND acknowledged AND ${isOwner}`;
const acknowledge = 'UPDATE journal SET acknowledged = true WHERE id = $1 RETURNING id';
const backlogs = `
SELECT part, sum(octet_length(body))::float8 AS bytes,
  coalesce(extract(epoch FROM clock_timestamp() - min(accepted_at) FILTER (WHERE NOT retried)) * 1000, 0)::float8 AS "ageMs"
FROM journal GROUP BY part`;
const failures = 'SELECT count(*)::int AS count FROM journal_failure';
const noteRetried = 'UPDATE journal SET retried = true WHERE id = ANY ($1::uuid[])';
const waiting = 'SELECT DISTINCT part FROM journal WHERE part = ANY ($1::smallint[])';
const seen = `
INSERT INTO journal_writer (holder, seen) VALUES ($1, clock_timestamp()) ON CONFLICT (holder) DO UPDATE SET seen = excluded.seen`;
const writers = `SELECT count(*)::int AS count FROM journal_writer WHERE seen > clock_timestamp() - interval '${goneMs} milliseconds'`;
const forgetGone = `DELETE FROM journal_writer WHERE holder = $1 OR seen < clock_timestamp() - interval '${10 * goneMs} milliseconds'`;

export class JournalTable {
  readonly #pool: Pool;
  readonly #failureOf: (error: unknown) => unknown;

  /** @param failureOf turns an error of the database into a StorageError; null for one that is a bug */
  constructor(pool: Pool, failureOf: (error: unknown) => unknown) {
    this.#pool = pool;
    this.#failureOf = failureOf;
  }

  /** All in one commit. Those that are there already are left as they are. @param entries at most `entriesOfCommit` */
  async append(entries: readonly NewEntry[]): Promise<void> {
    const values = entries.flatMap(({ id, part, size, body }) => [
      id,
      part,
      size,
      Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    ]);
    await this.#query(appendOf(entries.length), values);
  }

  /** The oldest entries of a part, as many as are applied at once. @param without numbers of entries to leave out */
  take(part: number, without: readonly number[]): Promise<Entry[]> {
    return this.#query<Entry & QueryResultRow>(take, [part, without]);
  }

  /** The oldest of these entries of a part, as many as are applied at once. */
  takeAgain(part: number, numbers: readonly number[]): Promise<Entry[]> {
    return this.#query<Entry & QueryResultRow>(takeAgain, [part, numbers]);
  }

  /** @returns those that were removed: none when another gateway owns the part now */
  async remove(claim: Claim, ids: readonly string[]): Promise<string[]> {
    return (await this.#query<{ id: string }>(remove, [...keyOf(claim), ids])).map(({ id }) => id);
  }

  /** Removes entries whose senders were not told yet that they are stored. */
  async refuse(claim: Claim, ids: readonly string[]): Promise<string[]> {
    return (await this.#query<{ id: string }>(removeUnacknowledged, [...keyOf(claim), ids])).map(({ id }) => id);
  }

  /** Those of the entries whose senders were told that they are stored; none when another gateway owns the part now. */
  async acknowledged(claim: Claim, ids: readonly string[]): Promise<string[]> {
    return (await this.#query<{ id: string }>(acknowledged, [...keyOf(claim), ids])).map(({ id }) => id);
  }

  /** Sets an entry aside that cannot be applied. */
  async keepFailure(claim: Claim, id: string, reason: string): Promise<void> {
    await this.#query(keepFailure, [...keyOf(claim), id, reason]);
  }

  /** These could not be applied while others could, and are retried on their own. */
  async noteRetried(ids: readonly string[]): Promise<void> {
    await this.#query(noteRetried, [ids]);
  }

  /** False when it is no longer there: it was applied or refused. */
  async acknowledge(id: string): Promise<boolean> {
    return (await this.#query(acknowledge, [id])).length > 0;
  }

  /** By part: those that have entries. */
  async backlogs(): Promise<Map<number, Backlog>> {
    const rows = await this.#query<Backlog & { part: number }>(backlogs, []);
    return new Map(rows.map(({ part, bytes, ageMs }) => [part, { bytes, ageMs }]));
  }

  /** Number of entries that were set aside. */
  async failures(): Promise<number> {
    return (await this.#query<{ count: number }>(failures, []))[0]?.count ?? 0;
  }

  /** Those of the parts that have entries. */
  async waiting(parts: readonly number[]): Promise<number[]> {
    return (await this.#query<{ part: number }>(waiting, [parts])).map(({ part }) => part);
  }

  /** Says that a gateway writes. @returns the number of gateways that do */
  async present(holder: string): Promise<number> {
    await this.#query(seen, [holder]);
    return (await this.#query<{ count: number }>(writers, []))[0]?.count ?? 1;
  }

  async leave(holder: string): Promise<void> {
    await this.#query(forgetGone, [holder]);
  }

  /** Null when the lease is somebody else's: its epoch must not be above theirs. */
  async nextEpoch(claim: Claim): Promise<number | null> {
    const [row] = await this.#query<{ epoch: string }>(nextEpoch, keyOf(claim));
    return row ? Number(row.epoch) : null;
  }

  async #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(text, values)).rows;
    } catch (error) {
      throw this.#failureOf(error) ?? error;
    }
  }
}

const keyOf = ({ name, holder, epoch }: Claim): [string, string, number] => [name, holder, epoch];
