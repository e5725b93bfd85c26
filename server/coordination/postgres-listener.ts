/** A connection that listens to one channel of PostgreSQL, and is replaced when it ends or no longer answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

/** Of its connection in the database's list of activity. */
export const listenerName = 'glasshouse notices';

const firstPauseMs = 100;
const pauseMaxMs = 5_000;
/** A connection that the network has dropped silently is noticed by a query that is not answered. */
const probeEveryMs = 10_000;
const answerWithinMs = 5_000;
const closeWithinMs = 1_000;

export interface ListenerParts {
  config: ClientConfig;
  /** An SQL identifier. */
  channel: string;
  onText(text: string): void;
  /** The connection listens. What was sent before may be lost. */
  onListening(): void;
  onFailure(error: unknown): void;
}

export class PostgresListener {
  readonly #parts: ListenerParts;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#ended = this.#keepListening();
  }

  /** Resolves when the connection is closed. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#ended;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
      const error = await this.#listen(() => (pauseMs = firstPauseMs)).catch((failure: unknown) => failure);
      if (signal.aborted) return;
      this.#parts.onFailure(error);
      // Gateways that lost their connections together do not return together.
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }

  /** Rejects when the connection fails. Resolves after `stop`. */
  async #listen(onListening: () => void): Promise<void> {
    const { config, channel, onText } = this.#parts;
    const client = new Client({ ...config, application_name: listenerName, query_timeout: answerWithinMs });
    const ended = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('The connection was closed')));
    });
    ended.catch(() => {});
    client.on('notification', ({ payload }) => onText(payload ?? ''));
    try {
      await client.connect();
      await Promise.race([client.query(`LISTEN ${channel}`), ended]);
      onListening();
      this.#parts.onListening();
      await Promise.race([this.#probe(client), ended]);
    } finally {
      // The other end may be unreachable.
      await Promise.race([client.end().catch(() => {}), sleep(closeWithinMs, undefined, { ref: false })]);
    }
  }

  async #probe(client: Client): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await sleep(probeEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await client.query('SELECT 1');
    }
  }
}
