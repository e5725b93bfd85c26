/** Selects runs to notify of because they may be running away: each run once for each sign. */
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import { runawayCost, runawayName, runawayReason, worstFirst } from '../../shared/words/runaway-words.ts';
import { type Notice, shownName } from './notices.ts';

interface RunawayNoticeOptions {
  /** Reads the signs of the runs that go on. */
  read(traceIds: readonly string[]): Promise<ListedRunaway[]>;
  isEnabled(): boolean;
  notify(notice: Notice): void;
}

const rememberedMax = 10_000;

export class RunawayNotices {
  readonly #options: RunawayNoticeOptions;
  readonly #reported = new Set<string>();

  constructor(options: RunawayNoticeOptions) {
    this.#options = options;
  }

  async add(traceIds: readonly string[]): Promise<void> {
    if (!this.#options.isEnabled()) return;
    const found = await this.#options.read(traceIds);
    for (const [traceId, signs] of Map.groupBy(found, ({ trace_id }) => trace_id)) {
      const fresh = signs.filter(({ rule }) => !this.#reported.has(`${traceId} ${rule}`)).sort(worstFirst);
      for (const { rule } of fresh) this.#remember(`${traceId} ${rule}`);
      const [worst] = fresh;
      if (worst) this.#options.notify(noticeOf(worst));
    }
  }

  #remember(sign: string): void {
    if (this.#reported.size >= rememberedMax) this.#reported.clear();
    this.#reported.add(sign);
  }
}

const noticeOf = (found: ListedRunaway): Notice => ({
  title: `May be running away: ${shownName(runawayName(found))}`,
  body: shownName(`${runawayReason({ ...found, subject: shownName(found.subject) })} ${runawayCost(found)}`, bodyMax),
  traceId: found.trace_id,
});

const bodyMax = 200;
