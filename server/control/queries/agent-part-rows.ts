/** What one part of an agent session adds, within the transaction that records it. */
import type { Scope } from '../../platform/scope.ts';
import type { AgentBlob, AgentEvent } from '../agent-session-store.ts';
import type { Queries } from './control-database.ts';
import { agentBlobs, agentEvents } from './schema/agents.ts';

export const bytesOf = (events: readonly AgentEvent[]): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);

type StoredPart = Pick<typeof agentEvents.$inferInsert, 'tenant_id' | 'app_id' | 'session_id' | 'revision'>;

export async function addEvents(write: Queries, events: readonly AgentEvent[], part: StoredPart): Promise<void> {
  for (const event of events) {
    const { seq, type, tool_call_id = null } = event;
    const row = { ...part, seq, type, tool_call_id, event };
    await write.insert(agentEvents).values(row).run();
  }
}

export async function addBlobs(write: Queries, scope: Scope, blobs: readonly AgentBlob[], created_at: string): Promise<void> {
  for (const { sha256, media_type, bytes } of blobs) {
    const row = { ...scope, sha256, media_type, size: bytes.length, created_at, bytes: Buffer.from(bytes) };
    await write.insert(agentBlobs).values(row).run();
  }
}
