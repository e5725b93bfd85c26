/**
 * Fills annotation queues by their rules, again and again. Of all gateways that share a control store only the holder of the lease does so. Each
 * round looks at the traces of the last day once more, because scores and errors come later than a trace; the store adds none twice.
 */
import type { QueueRule } from '../../shared/contract/evaluation/queue-rules.ts';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { SearchReader } from '../telemetry/search-reader.ts';
import { ruleFilter, selectedTraces } from './matching-traces.ts';

export interface RuleTimes {
  /** Pause between two rounds. */
  everyMs?: number;
  /** A trace that had no span for this long is taken to have ended. */
  settledMs?: number;
}

const standard: Required<RuleTimes> = { everyMs: 60_000, settledMs: 60_000 };
const lookBackMs = 24 * 3_600_000;
/** Of a rule, in one round. The next round goes on. */
const pagesMax = 4;

const by: Actor = { kind: 'system', id: 'queue rules', ip: null };

export interface RuleNeeds {
  control: Pick<ControlStore, 'queueRules'>;
  search: SearchReader;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export class RuleRounds {
  readonly #needs: RuleNeeds;
  readonly #times: Required<RuleTimes>;
  readonly #schedule: Schedule;
  readonly #stop = new AbortController();
  /** By rule, where the next round goes on. */
  readonly #positions = new Map<string, number>();
  #lease: Lease | null = null;

  constructor(needs: RuleNeeds, times: RuleTimes = {}) {
    this.#needs = needs;
    this.#times = { ...standard, ...times };
    this.#schedule = new Schedule(
      () => this.round(),
      this.#times.everyMs,
      (error) => needs.log.error('queue_rule_round_failed', { reason: String(error) }),
    );
  }

  start(): this {
    this.#schedule.start();
    return this;
  }

  /** A rule that fails is tried again in the next round, and does not keep others waiting. */
  async round(): Promise<void> {
    if (this.#lease?.lost.aborted) this.#lease = null;
    this.#lease ??= await this.#needs.leases.claim('queue rules');
    if (!this.#lease) return;
    const { lost } = this.#lease;
    const { control, log } = this.#needs;
    const active = await control.queueRules.listActive();
    const ids = new Set(active.map(({ rule }) => rule.id));
    for (const id of this.#positions.keys()) if (!ids.has(id)) this.#positions.delete(id);
    for (const { scope, rule } of active) {
      if (lost.aborted || this.#stop.signal.aborted) return;
      await this.#fill(scope, rule).catch((error) => log.error('queue_not_filled', { rule: rule.id, reason: String(error) }));
    }
  }

  /** Ends the running round and releases the lease. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#schedule.stop();
    if (this.#lease) await this.#needs.leases.release(this.#lease.claim);
  }

  async #fill(scope: Scope, rule: QueueRule): Promise<void> {
    const { control, search, clock } = this.#needs;
    const place = { queueId: rule.queue_id, ruleId: rule.id };
    const selection = { queueId: rule.queue_id, filter: ruleFilter(rule.filter), sample_percent: rule.sample_percent };
    const endedBeforeMs = clock.now() - this.#times.settledMs;
    const earliest = Math.max(endedBeforeMs - lookBackMs, Date.parse(rule.active_since));
    let from = Math.max(earliest, this.#positions.get(rule.id) ?? 0);
    this.#positions.delete(rule.id);
    for (let page = 0; page < pagesMax && from <= endedBeforeMs; page++) {
      if (this.#stop.signal.aborted) return;
      const window = { from, to: endedBeforeMs };
      const { ids, next_ms } = await selectedTraces(search, scope, selection, window, { endedBeforeMs });
      if (ids.length > 0 && (await control.queueRules.fill(by, scope, place, ids)).isFull) return;
      if (next_ms === null) return;
      // More traces of one millisecond than a page has are passed over.
      from = next_ms === from ? from + 1 : next_ms;
    }
    this.#positions.set(rule.id, from);
  }
}
