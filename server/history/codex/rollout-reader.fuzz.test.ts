/** Session files that are cut off or damaged: what is whole in them is read, and nothing twice. */
import { it } from 'vitest';
import { expectWholeLines } from '../fixtures/damage.ts';
import {
  agentThread,
  delegatingSession,
  failedSession,
  forkedSession,
  longSession,
  planningSession,
  sessionText,
} from './fixtures/recorded.ts';
import { RolloutReader } from './rollout-reader.ts';
import { StartedAgents } from './started-agents.ts';

const recorded = [longSession, failedSession, planningSession, forkedSession, delegatingSession, agentThread];

/** What a whole line of the model holds: its texts and its tool calls. */
function partsIn(line: string): string[] {
  const { type, payload } = JSON.parse(line);
  if (type === 'compacted') return payload.message.split('\n', 1);
  const isOfModel = type === 'response_item' && !payload.type.endsWith('_output') && (payload.role ?? 'assistant') === 'assistant';
  if (!isOfModel) return [];
  return payload.call_id ? [payload.call_id] : [...(payload.content ?? []), ...(payload.summary ?? [])].map(({ text }) => text);
}

it('reads every whole line of a damaged file, and no span twice', () => {
  expectWholeLines({
    texts: recorded.map(sessionText),
    read(text) {
      const reader = new RolloutReader({ threadId: 'a-thread', sinceMs: 0, started: new StartedAgents() });
      return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(true)];
    },
    partsIn,
  });
});
