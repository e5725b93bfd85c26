import type { SessionItem, SessionQuery, SessionTrace } from '../../shared/contract/sessions.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, Page } from './encoded.ts';

export interface SessionReader {
  list(scope: Scope, query: SessionQuery): Promise<Page<SessionItem>>;
  /** Oldest first, each with its spans; empty when the session is unknown. */
  traces(scope: Scope, sessionId: string): Promise<Encoded<SessionTrace[]>>;
}
