import type { ValvePreview, ValveToken } from '../../shared/contract/valve.ts';
import type { ValveSetting } from '../forwarding/valve/valve.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Which spans a preview is of. */
export interface PreviewQuery {
  /** Null: the newest of all. */
  trace_id: string | null;
  limit: number;
  offset: number;
}

/** What the privacy valve would do to what is stored, and what it has hidden so far. */
export interface ValveStore {
  /** Null when there is no such trace. Writes nothing: its tokens are not kept by it. */
  preview(scope: Scope, query: PreviewQuery, valve: ValveSetting): Promise<Encoded<ValvePreview> | null>;
  /** Null when no batch with this token was ever made. */
  token(scope: Scope, token: string): Promise<Encoded<ValveToken> | null>;
}
