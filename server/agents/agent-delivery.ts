/**
 * Delivers sessions of coding agents from the outbox to the telemetry store through ordinary ingest: attributed to an environment, counted,
 * and committed before the response. No transaction spans both stores. An entry is removed after its spans are stored, and span ids are
 * deterministic: acknowledged data is in both stores after any crash, and other data is completed when it is sent again or at the next start.
 */
import type { AgentSessionStore, OutgoingPart } from '../control/agent-session-store.ts';
import type { Allowance } from '../ingest/allowance.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
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
  clock: Clock;
  log: Log;
}

/** Starts with the entries left by an earlier gateway. */
export function startAgentDelivery(needs: AgentDeliveryNeeds): AgentDelivery {
  const delivery = new AgentDelivery(needs);
  delivery.resume();
  return delivery;
}

export class AgentDelivery {
  readonly #needs: AgentDeliveryNeeds;
  #resumed: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(needs: AgentDeliveryNeeds) {
    this.#needs = needs;
  }

  /** Starts to deliver the entries left by an earlier gateway. Failed ones stay until their session is sent again or the next start. */
  resume(): void {
    this.#resumed = this.#deliverAll();
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

  /** Quota of a tenant, with the bytes of its agent sessions deducted. */
  async #allowance(tenantId: string): Promise<Allowance> {
    const { sessions, plans } = this.#needs;
    const { monthly_spans, storage_bytes } = await plans.of(tenantId);
    return {
      monthly_spans,
      storage_bytes: storage_bytes === null ? null : Math.max(0, storage_bytes - (await sessions.storedBytes(tenantId))),
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#resumed;
  }

  async #deliverAll(): Promise<void> {
    const { sessions, log } = this.#needs;
    let failed = 0;
    try {
      let entries = await sessions.pending(0, batchSize);
      for (let last = entries.at(-1); last && !this.#isStopped; last = entries.at(-1)) {
        for (const entry of entries) await this.#deliverOne(entry).catch(() => failed++);
        entries = await sessions.pending(last.position, batchSize);
      }
    } catch (error) {
      log.error('agent_sessions_unread', { reason: error instanceof Error ? error.message : String(error) });
    }
    if (failed > 0) log.error('agent_sessions_wait', { parts: failed });
  }

  async #deliverOne(entry: OutgoingPart): Promise<void> {
    const { sessions, ingest, clock, log } = this.#needs;
    const { scope, position, attribution } = entry;
    const contents = await sessions.contents(entry);
    if (contents) {
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
    await sessions.arrived(position);
  }
}
