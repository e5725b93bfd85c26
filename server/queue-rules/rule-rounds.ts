/**
 * Fills annotation queues by their rules, again and again. Of all gateways that share a control store only the holder of the lease does so. A
 * round has limited time: the rules that had their last turn longest ago come first, so that none keeps others waiting for long.
 */
import type { QueueRule, RuleProblem } from '../../shared/contract/evaluation/queue-rules.ts';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { everyTrace, ruleFilter, type StateReader, selectedTraces } from './matching-traces.ts';
import { RuleProgress } from './rule-progress.ts';

export interface RuleTimes {
  /** Pause between two rounds. */
  everyMs?: number;
  /** A trace that had no span for this long is taken to have ended. */
  settledMs?: number;
  /** Between two sweeps of a rule over the last day. */
  againEveryMs?: number;
  /** After it, a round ends with the page that is being read. */
  roundMs?: number;
}

const standard: Required<RuleTimes> = { everyMs: 60_000, settledMs: 60_000, againEveryMs: 3_600_000, roundMs: 30_000 };
/** Of a rule, in one round. The next round goes on. */
const pagesMax = { new: 20, again: 4 } as const;
/** How old the stored time of the last look may become. */
const notedEveryMs = 5 * 60_000;

const by: Actor = { kind: 'system', id: 'queue rules', ip: null };

export interface RuleNeeds {
  control: { queueRules: Pick<ControlStore['queueRules'], 'listActive' | 'fill' | 'note'> };
  search: StateReader;
  leases: Pick<Leases, 'claim' | 'release'>;
  clock: Clock;
  log: Log;
}

type Active = { scope: Scope; rule: QueueRule };

interface Round {
  number: number;
  /** On the monotonic clock. */
  endMs: number;
  endedBeforeMs: number;
  /** By app and time, whether traces have started since. */
  hasTraces: Map<string, boolean>;
}

export class RuleRounds {
  readonly #needs: RuleNeeds;
  readonly #times: Required<RuleTimes>;
  readonly #schedule: Schedule;
  readonly #stop = new AbortController();
  readonly #progress = new Map<string, RuleProgress>();
  #rounds = 0;
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
    if (this.#lease?.lost.aborted) {
      this.#lease = null;
      this.#progress.clear();
    }
    this.#lease ??= await this.#needs.leases.claim('queue rules');
    if (!this.#lease) return;
    const { clock } = this.#needs;
    const [endMs, endedBeforeMs] = [clock.monotonic() + this.#times.roundMs, clock.now() - this.#times.settledMs];
    const round = { number: ++this.#rounds, endMs, endedBeforeMs, hasTraces: new Map() };
    for (const active of this.#byTurn(await this.#needs.control.queueRules.listActive(), round)) {
      if (this.#isEnding(endMs)) return;
      await this.#serve(active, round);
    }
  }

  /** Ends the running round and releases the lease. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#schedule.stop();
    if (this.#lease) await this.#needs.leases.release(this.#lease.claim);
  }

  #isEnding(endMs: number): boolean {
    return this.#stop.signal.aborted || this.#lease?.lost.aborted === true || this.#needs.clock.monotonic() >= endMs;
  }

  /** The one that had its last turn longest ago first. Begins anew with rules that are new, or have changed. */
  #byTurn(active: readonly Active[], { endedBeforeMs }: Round): Active[] {
    const ids = new Set(active.map(({ rule }) => rule.id));
    for (const id of this.#progress.keys()) if (!ids.has(id)) this.#progress.delete(id);
    for (const { rule } of active) {
      const before = this.#progress.get(rule.id);
      if (before?.activeSince === rule.active_since) continue;
      const progress = new RuleProgress(rule.active_since, endedBeforeMs, this.#times.againEveryMs);
      progress.turn = before?.turn ?? 0;
      this.#progress.set(rule.id, progress);
    }
    const turnOf = ({ rule }: Active) => this.#progress.get(rule.id)?.turn ?? 0;
    return [...active].sort((a, b) => turnOf(a) - turnOf(b));
  }

  async #serve(active: Active, round: Round): Promise<void> {
    const { control, clock, log } = this.#needs;
    const { scope, rule } = active;
    const progress = this.#progress.get(rule.id) as RuleProgress;
    progress.turn = round.number;
    try {
      const problem = await this.#fill(active, progress, round);
      const isNoted = rule.looked_at !== null && clock.now() - Date.parse(rule.looked_at) < notedEveryMs;
      if (isNoted && problem === rule.problem) return;
      await control.queueRules.note(scope, { queueId: rule.queue_id, ruleId: rule.id }, problem);
    } catch (error) {
      log.error('queue_not_filled', { rule: rule.id, reason: String(error) });
      if (rule.problem === 'search_failed') return;
      const noted = control.queueRules.note(scope, { queueId: rule.queue_id, ruleId: rule.id }, 'search_failed');
      await noted.catch((reason: unknown) => log.error('queue_rule_not_noted', { rule: rule.id, reason: String(reason) }));
    }
  }

  /** @returns what keeps the rule from finding all traces; null for nothing */
  async #fill({ scope, rule }: Active, progress: RuleProgress, round: Round): Promise<RuleProblem | null> {
    const { control, search, log } = this.#needs;
    const { endedBeforeMs } = round;
    const place = { queueId: rule.queue_id, ruleId: rule.id };
    const selection = { queueId: rule.queue_id, filter: ruleFilter(rule.filter), sample_percent: rule.sample_percent };
    const passedOverMs = progress.begin(endedBeforeMs);
    if (passedOverMs > 0) log.error('queue_rule_behind', { rule: rule.id, passed_over_ms: passedOverMs });
    let problem: RuleProblem | null = passedOverMs > 0 ? 'behind' : null;
    if (progress.hasNew && !(await this.#hasTraces(scope, progress.from, round))) progress.skipNew();
    let isFull = false;
    const left: Record<keyof typeof pagesMax, number> = { ...pagesMax };
    for (let next = progress.next; next && !isFull && !this.#isEnding(round.endMs); next = progress.next) {
      if (left[next.isNew ? 'new' : 'again']-- === 0) break;
      const isWhole = await next.sweep.next(
        (window, offset) => selectedTraces(search, scope, selection, window, { offset, endedBeforeMs }),
        async (ids) => {
          if (ids.length > 0) ({ isFull } = await control.queueRules.fill(by, scope, place, ids));
        },
      );
      if (!isWhole) problem ??= 'search_incomplete';
    }
    return problem;
  }

  /** One read for all rules of an app that have looked as far, so that an app without traffic costs little. */
  async #hasTraces(scope: Scope, from: number, { endedBeforeMs: to, hasTraces }: Round): Promise<boolean> {
    const key = JSON.stringify([scope.app_id, from]);
    const known = hasTraces.get(key);
    if (known !== undefined) return known;
    const order = { sort_by: 'start_time', sort_order: 'desc', bookkeeping: 'exclude', limit: 1, offset: 0 } as const;
    const { total } = await this.#needs.search.states(scope, { ...order, from, to, filter: everyTrace });
    hasTraces.set(key, total > 0);
    return total > 0;
  }
}
