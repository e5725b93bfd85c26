/**
 * Selects budgets to notify of because they are exceeded: each once, until it starts again. What is exceeded when the app starts is in the tray
 * and on the page, and was notified when it happened.
 */
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import { budgetKey, budgetText } from '../../shared/words/budget-words.ts';
import { type Notice, shownName } from './notices.ts';

interface BudgetNoticeOptions {
  read(): Promise<readonly Budget[]>;
  isEnabled(): boolean;
  notify(notice: Notice): void;
  /** Called with each reading, also while notices are off. */
  onRead(budgets: readonly Budget[]): void;
}

/** The least time between two readings: an agent commits many times a second. */
const pauseMs = 10_000;
/** Days begin, windows end and budgets change without a commit. */
const againMs = 60_000;
const bodyMax = 200;

export class BudgetNotices {
  readonly #options: BudgetNoticeOptions;
  /** Null before the first reading. */
  #reported: ReadonlySet<string> | null = null;
  #again: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: BudgetNoticeOptions) {
    this.#options = options;
  }

  start(): void {
    const read = () => void this.read().catch(() => {});
    this.#again = setInterval(read, againMs);
    read();
  }

  /** Something was stored: reads the budgets after a pause. */
  onCommit(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // A gateway that is stopping does not answer, and no notification is needed then.
      this.read().catch(() => {});
    }, pauseMs);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#again) clearInterval(this.#again);
  }

  async read(): Promise<void> {
    const budgets = await this.#options.read();
    if (this.#isStopped) return;
    this.#options.onRead(budgets);
    const over = budgets.filter(({ state }) => state === 'over');
    const reported = this.#reported;
    const fresh = reported === null ? [] : over.filter((budget) => !reported.has(budgetKey(budget)));
    if (fresh.length > 0 && !this.#options.isEnabled()) return;
    this.#reported = new Set(over.map(budgetKey));
    for (const budget of fresh) this.#options.notify(noticeOf(budget));
  }
}

const noticeOf = (budget: Budget): Notice => ({
  title: 'Over budget',
  body: shownName(budgetText(budget), bodyMax),
  traceId: null,
  route: '#/spending',
});

const linesMax = 3;

/** Lines of the tray: `$12.40 spent today, of a budget of $20.00.` */
export const budgetLines = (budgets: readonly Budget[]): string[] =>
  budgets.slice(0, linesMax).map((budget) => shownName(budgetText(budget), bodyMax));
