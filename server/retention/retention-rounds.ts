/**
 * Deletes traces that are too old, again and again. Of all gateways that share a control store only the holder of the lease does so. Deletions
 * are those that people ask for: in the audit log before they begin, and continued after a restart.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Plans } from '../limits/plans.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { TraceDeletions } from '../telemetry/trace-deletions.ts';
import { expiredTraces } from './expired-traces.ts';

const roundEveryMs = 10 * 60_000;
const environmentsMax = 100_000;

const by: Actor = { kind: 'system', id: 'retention', ip: null };

export interface RetentionNeeds {
  control: Pick<ControlStore, 'retention' | 'environments' | 'audit'>;
  deletions: TraceDeletions;
  plans: Plans;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export class RetentionRounds {
  readonly #needs: RetentionNeeds;
  readonly #schedule: Schedule;
  readonly #stop = new AbortController();
  /** Deletions that this gateway began, by app, whose traces may still be listed. */
  readonly #begun = new Map<string, string[]>();
  #lease: Lease | null = null;

  constructor(needs: RetentionNeeds, everyMs = roundEveryMs) {
    this.#needs = needs;
    this.#schedule = new Schedule(
      () => this.round(),
      everyMs,
      (error) => needs.log.error('retention_round_failed', { reason: String(error) }),
    );
  }

  start(): this {
    this.#schedule.start();
    return this;
  }

  /** Begins the deletions that are due. One that fails is due in the next round, and does not keep others waiting. */
  async round(): Promise<void> {
    if (this.#lease?.lost.aborted) this.#lease = null;
    this.#lease ??= await this.#needs.leases.claim('retention');
    if (this.#lease) await this.#deleteExpired(this.#lease);
  }

  /** Ends the running round and releases the lease. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#schedule.stop();
    if (this.#lease) await this.#needs.leases.release(this.#lease.claim);
  }

  async #deleteExpired({ lost }: Lease): Promise<void> {
    const { control, log } = this.#needs;
    for (const scope of await control.retention.listApps()) {
      if (lost.aborted || this.#stop.signal.aborted) return;
      await this.#deleteIn(scope).catch((error) => log.error('traces_not_expired', { app: scope.app_id, reason: String(error) }));
    }
  }

  async #deleteIn(scope: Scope): Promise<void> {
    const { control, deletions, plans, clock } = this.#needs;
    if (await this.#isDeleting(scope)) return;
    const rules = await control.retention.of(scope);
    const { keep_days } = await plans.of(scope.tenant_id);
    if (keep_days === null && rules.keep_days === null && rules.environments.length === 0) return;
    const { data: environments } = await control.environments.list(scope, { limit: environmentsMax, offset: 0 });
    for (const selection of expiredTraces(rules, environments, keep_days, clock.now())) {
      const { traces, spans } = await deletions.count(scope, selection);
      if (traces === 0) continue;
      const id = randomUUID();
      await control.audit.recordDeletion(by, scope, id, { traces, spans });
      await deletions.begin(scope, id, selection);
      this.#begun.set(scope.app_id, [...(this.#begun.get(scope.app_id) ?? []), id]);
    }
  }

  /** Otherwise the same traces would be deleted, and be in the audit log, once more. */
  async #isDeleting(scope: Scope): Promise<boolean> {
    for (const id of this.#begun.get(scope.app_id) ?? [])
      if ((await this.#needs.deletions.find(scope, id))?.decode().state === 'removing') return true;
    this.#begun.delete(scope.app_id);
    return false;
  }
}
