/**
 * Selects arriving traces for notifications: failures, and long runs that have ended. Each trace is reported once, resent and imported ones
 * never, and many at once become one notification. Names come from strangers and are truncated.
 */
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { Settings } from './settings.ts';

export interface Notice {
  title: string;
  body: string;
  /** The trace to show when it is clicked; null for a summary of several. */
  traceId: string | null;
}

export type Arrived = Pick<TraceItem, 'id' | 'name' | 'status' | 'end' | 'latency_ms' | 'error_count'>;

interface Needs {
  /** Readable ones of the traces; a missing one must not hide the others. */
  read(traceIds: readonly string[]): Promise<Arrived[]>;
  settings(): Readonly<Settings>;
  /** Whether the root has arrived with its end: running traces have a latency too. */
  isOver(traceId: string): Promise<boolean>;
  /** Called for every failed trace, also with notifications off. */
  failed(count: number): void;
  tell(notice: Notice): void;
  now(): number;
}

/** Older traces are imports. */
const freshMs = 5 * 60_000;
const toldMax = 10_000;
const nameMax = 80;
/** Maximum of single notifications; more become one. */
const singlesMax = 3;

/** Without control characters and direction overrides, on one line. */
export const shownName = (name: string): string => {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim() || 'unnamed trace';
  return clean.length > nameMax ? `${clean.slice(0, nameMax)}…` : clean;
};

const lasted = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

export class Notices {
  readonly #needs: Needs;
  readonly #told = new Set<string>();
  #wanted = new Set<string>();
  #reading: Promise<void> | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Handles committed traces. Resolves when they were examined; concurrent calls are combined. */
  heard(traceIds: readonly string[]): Promise<void> {
    for (const id of traceIds) if (this.#wanted.size < toldMax) this.#wanted.add(id);
    this.#reading ??= this.#look().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #look(): Promise<void> {
    while (this.#wanted.size > 0) {
      const ids = [...this.#wanted];
      this.#wanted = new Set();
      await this.#judge((await this.#needs.read(ids)).filter(({ end }) => this.#needs.now() - Date.parse(end) < freshMs));
    }
  }

  async #judge(arrived: Arrived[]): Promise<void> {
    const { notify_errors, notify_long_runs, long_run_seconds } = this.#needs.settings();
    const failed = arrived.filter((trace) => isFailed(trace) && this.#once(`failed ${trace.id}`));
    const over: Arrived[] = [];
    for (const trace of arrived)
      if (!isFailed(trace) && trace.latency_ms >= long_run_seconds * 1000 && !this.#told.has(`over ${trace.id}`))
        if ((await this.#needs.isOver(trace.id)) && this.#once(`over ${trace.id}`)) over.push(trace);
    if (failed.length > 0) this.#needs.failed(failed.length);
    if (notify_errors) this.#tell(failed, (count) => `${count} traces failed`, failure);
    if (notify_long_runs) this.#tell(over, (count) => `${count} long runs are over`, ending);
  }

  #once(what: string): boolean {
    if (this.#told.has(what)) return false;
    if (this.#told.size >= toldMax) this.#told.clear();
    this.#told.add(what);
    return true;
  }

  #tell(traces: Arrived[], many: (count: number) => string, one: (trace: Arrived) => Omit<Notice, 'traceId'>): void {
    if (traces.length <= singlesMax) for (const trace of traces) this.#needs.tell({ ...one(trace), traceId: trace.id });
    else
      this.#needs.tell({
        title: many(traces.length),
        body: traces
          .slice(0, 3)
          .map(({ name }) => shownName(name))
          .join(', '),
        traceId: null,
      });
  }
}

const isFailed = ({ status, error_count }: Arrived): boolean => error_count > 0 || String(status) === 'ERROR';

const failure = ({ name, error_count }: Arrived) => ({
  title: `Failed: ${shownName(name)}`,
  body: error_count > 1 ? `${error_count} spans have errors` : 'A span has an error',
});

const ending = ({ name, latency_ms }: Arrived) => ({ title: `Over: ${shownName(name)}`, body: `It took ${lasted(latency_ms)}` });
