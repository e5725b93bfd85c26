/** Session files that are cut off or damaged: what is whole in them is read, and nothing twice. */
import { it } from 'vitest';
import { expectWholeLines } from '../fixtures/damage.ts';
import { ChatReader } from './chat-reader.ts';
import {
  agentFile,
  delegatingSession,
  failingSession,
  longSession,
  refusedSession,
  sessionText,
  shortSession,
} from './fixtures/recorded.ts';

const recorded = [longSession, delegatingSession, agentFile, shortSession, failingSession, refusedSession];

/** What a whole line of the model holds: its texts and its tool calls. The last line of a message counts, also if its texts are damaged. */
function partsIn(line: string, file: readonly string[]): string[] {
  const { id, type, content, thoughts = [], toolCalls = [] } = JSON.parse(line);
  if (type !== 'gemini' || file.findLast((other) => other.startsWith(`{"id":"${id}"`)) !== line) return [];
  return [
    content,
    ...thoughts.map(({ description }: Record<string, string>) => description),
    ...toolCalls.map(({ id }: { id: string }) => id),
  ];
}

it('reads every whole line of a damaged file, and no span twice', () => {
  expectWholeLines({
    texts: recorded.map(sessionText),
    read(text) {
      const reader = new ChatReader({ sinceMs: 0, start: null });
      return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(true)];
    },
    partsIn,
  });
});
