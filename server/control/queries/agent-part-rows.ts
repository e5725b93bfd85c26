/** What one part of an agent session adds, within the transaction that records it. */
import type { AgentEvent } from '../agent-session-store.ts';
import type { Queries } from './control-database.ts';
import { agentEvents } from './schema/agents.ts';

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
