import type { z } from 'zod';
import type { agentEvent, agentSession, sessionAbout } from '../../shared/contract/agents.ts';
import type { EnvironmentStamp } from '../platform/environment-stamp.ts';
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

/** What an agent tells of a session at once: what it is, and some of its events. */
export interface AgentPart {
  about: z.output<typeof sessionAbout>;
  trace_id: string;
  events: readonly AgentEvent[];
  blobs: readonly AgentBlob[];
  /** Of what it writes. */
  stamp: EnvironmentStamp;
  room: AgentRoom;
}

/** What a tenant may still add. */
export interface AgentRoom {
  /** Whether there is room for new events at all. */
  events: boolean;
  /** Null: without limit. */
  bytes: number | null;
}

/** Why nothing was stored: the session would become too large, or the tenant may add no more. */
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
  stamp: EnvironmentStamp;
}

/** What the spans of a part are made of. */
export interface PartContents {
  session: AgentSession;
  /** Those that the part brought, by number. */
  events: AgentEvent[];
  /** Calls and results that share an id with one of those, whichever part brought them. */
  counterparts: AgentEvent[];
  /** The few that stand before the first of the part, by number. */
  lead: AgentEvent[];
  /** Calls that nobody answered, once the session has ended. */
  unanswered: AgentEvent[];
}

/** Sessions of coding agents. What was told first counts: the same part again changes nothing, whatever it says. */
export interface AgentSessionStore {
  /**
   * The session, its events and blobs, and a place in the outbox when the part brings anything new: one transaction, all or nothing. Only
   * what is new takes room.
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
  /** Null when the session is gone, with its app. */
  contents(part: OutgoingPart): Promise<PartContents | null>;
  arrived(position: number): Promise<void>;
}
