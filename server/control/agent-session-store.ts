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
  room: AgentRoom;
}

/** Remaining quota of a tenant. */
export interface AgentRoom {
  /** False when the quota has no capacity for new events. */
  events: boolean;
  /** Null: without limit. */
  bytes: number | null;
}

/** Reason of a refusal: the session would become too large, or a quota of the tenant is exhausted. */
export type AgentRefusal = { refused: 'size' | keyof AgentRoom };

export interface Recorded {
  isNew: boolean;
  trace_id: string;
  events_added: number;
  blobs_added: number;
}

/** A part that is durable here and may not have arrived at the telemetry. */
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
  lead: AgentEvent[];
  /** Calls without a result, once the session has ended. */
  unanswered: AgentEvent[];
}

/** Sessions of coding agents. The first report of an event counts: sending a part again changes nothing, whatever it contains. */
export interface AgentSessionStore {
  /**
   * Stores the session, its events and blobs, and an outbox entry for new data, in one transaction. Only new data counts against the quota.
   */
  record(by: Actor, scope: Scope, part: AgentPart): Promise<Recorded | AgentRefusal>;
  /** Why `record` would refuse the part, without writing anything: a large part is judged whole before it is recorded in pieces. */
  judge(scope: Scope, part: AgentPart): Promise<AgentRefusal | null>;
  /** Newest first. */
  list(scope: Scope, query: PageQuery): Promise<Page<AgentSession>>;
  find(scope: Scope, sessionId: string): Promise<(AgentSession & { events: AgentEvent[] }) | null>;
  findBlob(scope: Scope, sha256: string): Promise<AgentBlob | null>;
  /** Bytes of events and blobs that a tenant has here, over all its apps. */
  heldBytes(tenantId: string): Promise<number>;

  /** The first entries behind a position, of everybody or of one session, in order. */
  waiting(after: number, limit: number, of?: { scope: Scope; session_id: string }): Promise<OutgoingPart[]>;
  /** Null when the session is gone with its app. */
  contents(part: OutgoingPart): Promise<PartContents | null>;
  arrived(position: number): Promise<void>;
}
