/**
 * Takes the scores of reviews from the outbox to where scores are kept, which is another file that no transaction spans. An entry goes
 * only after its scores are stored, and storing knows a score by its id: whenever the gateway dies, each score arrives once.
 */
import type { Log } from '../platform/log.ts';
import type { ScoreStore } from '../telemetry/score-store.ts';
import type { OutgoingScores, ScoreOutbox } from './score-outbox.ts';

const entriesAtOnce = 20;

export class ScoreDelivery {
  readonly #outbox: ScoreOutbox;
  readonly #scores: Pick<ScoreStore, 'insert'>;
  readonly #log: Log;
  readonly #retryMs: number;
  #last: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(outbox: ScoreOutbox, scores: Pick<ScoreStore, 'insert'>, log: Log, retryMs = 5000) {
    this.#outbox = outbox;
    this.#scores = scores;
    this.#log = log;
    this.#retryMs = retryMs;
  }

  /** Resolves when all that was in the outbox before has been tried once. What could not be stored stays there and is tried again. */
  deliver(): Promise<void> {
    this.#last = this.#last.then(() => this.#deliverAll());
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#last;
  }

  async #deliverAll(): Promise<void> {
    try {
      let entries = await this.#outbox.waiting(0, entriesAtOnce);
      for (let last = entries.at(-1); last; last = entries.at(-1)) {
        for (const entry of entries) await this.#deliverOne(entry);
        entries = await this.#outbox.waiting(last.position, entriesAtOnce);
      }
    } catch (error) {
      this.#tryLater(error);
    }
  }

  /** One entry that cannot be stored does not hold up those behind it. */
  async #deliverOne({ position, scope, scores }: OutgoingScores): Promise<void> {
    try {
      await this.#scores.insert(scope, scores);
      await this.#outbox.arrived(position);
    } catch (error) {
      this.#tryLater(error);
    }
  }

  #tryLater(error: unknown): void {
    this.#log.error('scores_wait', { reason: error instanceof Error ? error.message : String(error) });
    clearTimeout(this.#retry);
    if (!this.#isStopped) this.#retry = setTimeout(() => void this.deliver(), this.#retryMs).unref();
  }
}
