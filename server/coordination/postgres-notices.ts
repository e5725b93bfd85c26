/**
 * Notices through LISTEN and NOTIFY. Every gateway listens to one channel of the database, on a connection outside the pool. Whoever can use the
 * database can send there, so that everything is checked.
 */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Log } from '../platform/log.ts';
import { type NoticeFollower, type Notices, noticeBytesMax } from './notices.ts';
import { PostgresListener } from './postgres-listener.ts';

const databaseChannel = 'glasshouse_notices';
/** Waiting to be sent. */
const waitingMax = 1_000;
const sentAtOnce = 100;
/** A failure that repeats is logged once in this time. */
const logEveryMs = 60_000;

const envelope = z.strictObject({
  v: z.literal(1),
  /** A gateway. */
  from: z.uuid(),
  /** Null when the sender had to drop notices. */
  channel: z.string().max(40).nullable(),
  payload: z.unknown(),
});

interface Follower {
  schema: z.ZodType;
  heard(payload: unknown): void;
  missed(): void;
}

export class PostgresNotices implements Notices {
  readonly #from = randomUUID();
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #listener: PostgresListener;
  readonly #followers = new Map<string, Set<Follower>>();
  #waiting: string[] = [];
  #sending: Promise<void> | null = null;
  #hasDropped = false;
  readonly #loggedMs = new Map<string, number>();

  /** @param pool for sending; its settings are those of the connection that listens */
  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
    this.#listener = new PostgresListener({
      config: pool.options,
      channel: databaseChannel,
      onText: (text) => this.#receive(text),
      onListening: () => {
        this.#tellMissed();
        if (this.#hasDropped) this.#sending ??= this.#send();
      },
      onFailure: (error) => this.#logSometimes('notices_not_heard', error),
    });
  }

  publish(channel: string, payload: unknown): void {
    try {
      const bytes = Buffer.byteLength(JSON.stringify(payload));
      if (bytes > noticeBytesMax) throw new Error(`A notice has at most ${noticeBytesMax} bytes, this one has ${bytes}`);
      if (this.#waiting.length >= waitingMax) throw new Error('The database takes notices too slowly');
      this.#waiting.push(this.#textOf(channel, payload));
    } catch (error) {
      this.#drop(error);
    }
    this.#sending ??= this.#send();
  }

  follow<T>(channel: string, schema: z.ZodType<T>, follower: NoticeFollower<T>): () => void {
    const followers = this.#followers.get(channel) ?? new Set();
    this.#followers.set(channel, followers);
    const added = { schema, heard: (payload: unknown) => follower.heard(payload as T), missed: () => follower.missed() };
    followers.add(added);
    return () => void followers.delete(added);
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
    await this.#sending;
  }

  #textOf(channel: string | null, payload: unknown): string {
    return JSON.stringify({ v: 1, from: this.#from, channel, payload } satisfies z.input<typeof envelope>);
  }

  /** Sends what waits, one statement at a time. Never rejects. */
  async #send(): Promise<void> {
    // What is published in the same turn shares a statement.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#hasDropped) {
      const texts = this.#waiting.splice(0, sentAtOnce);
      if (this.#hasDropped) texts.push(this.#textOf(null, null));
      this.#hasDropped = false;
      try {
        await this.#pool.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text', [databaseChannel, texts]);
      } catch (error) {
        this.#waiting = [];
        this.#drop(error);
        break;
      }
    }
    this.#sending = null;
  }

  #drop(error: unknown): void {
    this.#hasDropped = true;
    this.#logSometimes('notice_dropped', error);
  }

  #receive(text: string): void {
    const notice = readEnvelope(text);
    if (!notice || notice.from === this.#from) return;
    if (notice.channel === null) this.#tellMissed();
    for (const follower of this.#followers.get(notice.channel ?? '') ?? []) {
      const { success, data } = follower.schema.safeParse(notice.payload);
      if (success) this.#call(() => follower.heard(data));
    }
  }

  #tellMissed(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) this.#call(() => follower.missed());
  }

  #call(follower: () => void): void {
    try {
      follower();
    } catch (error) {
      this.#log.error('notice_not_handled', { reason: String(error) });
    }
  }

  #logSometimes(event: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.#loggedMs.get(event) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    this.#loggedMs.set(event, now);
    this.#log.error(event, { reason: String(error) });
  }
}

function readEnvelope(text: string): z.output<typeof envelope> | null {
  try {
    return envelope.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
