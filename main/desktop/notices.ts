/**
 * Selects arriving traces for notifications: failures, and long runs that have ended. Each trace is reported once, resent and imported ones
 * never, and many at once become one notification. Names come from untrusted programs and are truncated.
 */
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { Settings } from './settings.ts';

export interface Notice {
  title: string;
  body: string;
  /** The trace to show when it is clicked; null for a summary of several. */
  traceId: string | null;
  /** The screen to show instead of a trace or the list of traces. */
  route?: string;
}

export type ArrivedTrace = Pick<TraceItem, 'id' | 'name' | 'status' | 'end' | 'latency_ms' | 'error_count'>;

interface NoticeOptions {
  /** Reads those of the traces that exist; a missing one must not hide the others. */
  read(traceIds: readonly string[]): Promise<ArrivedTrace[]>;
  settings(): Readonly<Settings>;
  /** Whether the root span has ended: running traces have a latency too. */
  hasEnded(traceId: string): Promise<boolean>;
  /** Called for every failed trace, also with notifications off. */
  failed(count: number): void;
  notify(notice: Notice): void;
  now(): number;
}

/** Traces that ended earlier were imported. */
const freshMs = 5 * 60_000;
const rememberedMax = 10_000;
const nameMax = 80;
/** Maximum of single notifications; more become one. */
const singlesMax = 3;

/** Without control characters and direction overrides, on one line. */
export const shownName = (name: string, lengthMax = nameMax): string => {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim() || 'unnamed trace';
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax)}…` : clean;
};

const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

export class Notices {
  readonly #options: NoticeOptions;
  readonly #reported = new Set<string>();
  #queued = new Set<string>();
  #reading: Promise<void> | null = null;

  constructor(options: NoticeOptions) {
    this.#options = options;
  }

  /** Handles committed traces. Resolves when they have been checked; concurrent calls are combined. */
  add(traceIds: readonly string[]): Promise<void> {
    for (const id of traceIds) if (this.#queued.size < rememberedMax) this.#queued.add(id);
    this.#reading ??= this.#readQueued().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readQueued(): Promise<void> {
    while (this.#queued.size > 0) {
      const ids = [...this.#queued];
      this.#queued = new Set();
      await this.#report((await this.#options.read(ids)).filter(({ end }) => this.#options.now() - Date.parse(end) < freshMs));
    }
  }

  async #report(arrived: ArrivedTrace[]): Promise<void> {
    const { notify_errors, notify_long_runs, long_run_seconds } = this.#options.settings();
    const failed = arrived.filter((trace) => isFailed(trace) && this.#isFirst(`failed ${trace.id}`));
    const finished: ArrivedTrace[] = [];
    for (const trace of arrived)
      if (!isFailed(trace) && trace.latency_ms >= long_run_seconds * 1000 && !this.#reported.has(`finished ${trace.id}`))
        if ((await this.#options.hasEnded(trace.id)) && this.#isFirst(`finished ${trace.id}`)) finished.push(trace);
    if (failed.length > 0) this.#options.failed(failed.length);
    if (notify_errors) this.#notify(failed, (count) => `${count} traces failed`, failureText);
    if (notify_long_runs) this.#notify(finished, (count) => `${count} long runs have finished`, completion);
  }

  #isFirst(event: string): boolean {
    if (this.#reported.has(event)) return false;
    if (this.#reported.size >= rememberedMax) this.#reported.clear();
    this.#reported.add(event);
    return true;
  }

  #notify(traces: ArrivedTrace[], many: (count: number) => string, one: (trace: ArrivedTrace) => Omit<Notice, 'traceId'>): void {
    if (traces.length <= singlesMax) for (const trace of traces) this.#options.notify({ ...one(trace), traceId: trace.id });
    else
      this.#options.notify({
        title: many(traces.length),
        body: traces
          .slice(0, 3)
          .map(({ name }) => shownName(name))
          .join(', '),
        traceId: null,
      });
  }
}

const isFailed = ({ status, error_count }: ArrivedTrace): boolean => error_count > 0 || String(status) === 'ERROR';

const failureText = ({ name, error_count }: ArrivedTrace) => ({
  title: `Failed: ${shownName(name)}`,
  body: error_count > 1 ? `${error_count} spans have errors` : 'A span has an error',
});

const completion = ({ name, latency_ms }: ArrivedTrace) => ({
  title: `Finished: ${shownName(name)}`,
  body: `It took ${formatDuration(latency_ms)}`,
});
