/** State of deletions. */
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import type { TraceDeletion } from '../../trace-deletions.ts';
import { ofApp, type ReadContext } from './read-context.ts';

/** Of the table `deletion`. */
export type StoredDeletion = Scope & Omit<TraceDeletion, 'forwarded'>;

export const deletionColumns = 'id, created_ms, state, traces, spans, removed_traces';
const byId = `SELECT ${deletionColumns} FROM deletion FINAL WHERE ${ofApp} AND id = {id:String}`;

export async function findDeletion(context: ReadContext, scope: Scope, id: string): Promise<Encoded<TraceDeletion> | null> {
  const [row] = await context.inApp<StoredDeletion>(scope, byId, { id });
  return row ? Encoded.of(deletionOf(row)) : null;
}

/** This store sends nothing on. */
export const deletionOf = ({ id, created_ms, state, traces, spans, removed_traces }: StoredDeletion): TraceDeletion => ({
  ...{ id, created_ms, state, traces, spans, removed_traces },
  forwarded: [],
});
