import type { z } from 'zod';
import type { agentEvent, agentSession, sessionFields } from '../../shared/contract/tracing/agents.ts';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type AgentEvent = z.output<typeof agentEvent>;
export type AgentSession = Omit<z.output<typeof agentSession>, 'url'>;

export interface AgentBlob {
  sha256: string;
  media_type: string;
  bytes: Uint8Array;
}

/** Part of a session reported by an agent: its properties and some of its events. */
export interface AgentPart {
  about: z.output<typeof sessionFields>;
  trace_id: string;
  events: readonly AgentEvent[];
  blobs: readonly AgentBlob[];
  /** Attribution of the spans made from it. */
  attribution: EnvironmentAttribution;
  quota: AgentQuota;
}

/** What a tenant may store. */
export interface AgentQuota {
  /** False when no new events are allowed. */
  events: boolean;
  /** Bytes that it may have here, over all its apps (`storedBytes`). Null: without limit. */
  bytes: number | null;
}

/** Reason of a refusal: the session would become too large, or a quota of the tenant is exhausted. */
export type AgentRefusal = { refused: 'size' | keyof AgentQuota };

export interface RecordResult {
  isNew: boolean;
  trace_id: string;
  events_added: number;
  blobs_added: number;
}

/** A part that is durable here and may not have reached the telemetry store yet. */
export interface OutgoingPart {
  position: number;
  scope: Scope;
  session_id: string;
  revision: number;
  attribution: EnvironmentAttribution;
}

/** Source of the spans of a part. */
export interface PartContents {
  session: AgentSession;
  /** Events of the part, by number. */
  events: AgentEvent[];
  /** Calls and results from any part that share an id with one of those. */
  counterparts: AgentEvent[];
  /** A few events before the first of the part, by number. */
  preceding: AgentEvent[];
  /** Calls without a result, once the session has ended. */
  unanswered: AgentEvent[];
}

/** Sessions of coding agents. The first report of an event counts: sending a part again changes nothing, whatever it contains. */
export interface AgentSessionStore {
  /**
   * Stores the session, its events and blobs, and an outbox entry for new data, in one transaction. Only new data counts against the quota.
   */
  record(by: Actor, scope: Scope, part: AgentPart): Promise<RecordResult | AgentRefusal>;
  /** Why `record` would refuse the part, without writing anything: a large part is checked as a whole before it is recorded in pieces. */
  check(scope: Scope, part: AgentPart): Promise<AgentRefusal | null>;
  /** Newest first. */
  list(scope: Scope, query: PageQuery): Promise<Page<AgentSession>>;
  find(scope: Scope, sessionId: string): Promise<(AgentSession & { events: AgentEvent[] }) | null>;
  findBlob(scope: Scope, sha256: string): Promise<AgentBlob | null>;
  /** Bytes of events and blobs that a tenant has here, over all its apps. */
  storedBytes(tenantId: string): Promise<number>;

  /** The first entries after a position, of all sessions or of one, in order. */
  pending(after: number, limit: number, of?: { scope: Scope; session_id: string }): Promise<OutgoingPart[]>;
  /** Null when the session was deleted with its app. */
  contents(part: OutgoingPart): Promise<PartContents | null>;
  arrived(position: number): Promise<void>;
}
