/**
 * Delivers sessions of coding agents from the outbox to the telemetry store through ordinary ingest: attributed to an environment, counted,
 * and committed before the response. No transaction spans both stores. An entry is removed after its spans are stored, and span ids are
 * deterministic: acknowledged data is in both stores after any crash, and other data is completed when it is sent again, or by a gateway that
 * finds it left behind.
 */
import type { AgentSessionStore, OutgoingPart } from '../control/agent-session-store.ts';
import type { Allowance } from '../ingest/allowance.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import type { Leases } from '../jobs/lease.ts';
import { Delivery } from '../jobs/outbox.ts';
import type { Plans } from '../limits/plans.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { spansOf } from './session-spans.ts';

const batchSize = 20;

interface AgentDeliveryNeeds {
  sessions: AgentSessionStore;
  ingest: IngestPipeline;
  plans: Plans;
  leases: Leases;
  clock: Clock;
  log: Log;
}

/** Starts with the entries that are there, in the background. */
export function startAgentDelivery(needs: AgentDeliveryNeeds): AgentDelivery {
  const delivery = new AgentDelivery(needs);
  void delivery.open();
  return delivery;
}

export class AgentDelivery {
  readonly #needs: AgentDeliveryNeeds;
  readonly #leftBehind: Delivery<OutgoingPart>;
  /** Positions of entries that requests are delivering. */
  readonly #ofRequests = new Set<number>();

  constructor(needs: AgentDeliveryNeeds) {
    this.#needs = needs;
    const { sessions, leases, log } = needs;
    this.#leftBehind = new Delivery({
      ...{ name: 'agent sessions', leases, log, event: 'agent_sessions_wait' },
      outbox: {
        pending: async (after, limit) => (await sessions.pending(after, limit)).filter(({ position }) => !this.#ofRequests.has(position)),
        arrived: (position) => sessions.arrived(position),
      },
      deliver: (entry) => this.#submit(entry),
    });
  }

  /** Delivers what is there, and from then on what is left behind. Failed entries are retried. */
  open(): Promise<void> {
    return this.#leftBehind.deliver();
  }

  /**
   * Resolves when all events of a session are in the telemetry store.
   * @throws IngestOverload, StorageError or QuotaExceeded when that is not possible now
   */
  async deliver(scope: Scope, session_id: string): Promise<void> {
    for (;;) {
      const entries = await this.#needs.sessions.pending(0, batchSize, { scope, session_id });
      if (entries.length === 0) return;
      for (const entry of entries) await this.#deliverOne(entry);
    }
  }

  /** Of entries that were left behind. */
  get outbox(): Pick<Delivery<OutgoingPart>, 'name' | 'waitingMs'> {
    return this.#leftBehind;
  }

  stop(): Promise<void> {
    return this.#leftBehind.stop();
  }

  async #deliverOne(entry: OutgoingPart): Promise<void> {
    this.#ofRequests.add(entry.position);
    try {
      await this.#submit(entry);
      await this.#needs.sessions.arrived(entry.position);
    } finally {
      this.#ofRequests.delete(entry.position);
    }
  }

  /** Quota of a tenant, with the bytes of its agent sessions deducted. */
  async #allowance(tenantId: string): Promise<Allowance> {
    const { sessions, plans } = this.#needs;
    const { monthly_spans, storage_bytes } = await plans.of(tenantId);
    return {
      monthly_spans,
      storage_bytes: storage_bytes === null ? null : Math.max(0, storage_bytes - (await sessions.storedBytes(tenantId))),
    };
  }

  async #submit(entry: OutgoingPart): Promise<void> {
    const { sessions, ingest, clock, log } = this.#needs;
    const { scope, attribution } = entry;
    const contents = await sessions.contents(entry);
    if (!contents) return;
    const bytes = Buffer.from(JSON.stringify(spansOf(contents)));
    const admission = ingest.admit(bytes.length);
    try {
      admission.arrived(bytes.length);
      const conditions = { received_ms: clock.now(), attribution, allowance: await this.#allowance(scope.tenant_id) };
      const body = { signal: 'traces', bytes, encoding: null, protobuf: false } as const;
      const { rejected, reasons } = await ingest.submit(scope, body, conditions);
      // They will never be accepted; the events can still be read as sent.
      if (rejected > 0) log.error('agent_events_without_spans', { rejected, reasons: reasons.join('; ') });
    } finally {
      admission.release();
    }
  }
}
