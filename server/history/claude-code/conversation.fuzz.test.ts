/** Session files that are cut off or damaged: what is whole in them is read, and nothing twice. */
import { it } from 'vitest';
import { expectWholeLines } from '../fixtures/damage.ts';
import type { HistorySpan } from '../otlp-span.ts';
import { Conversation } from './conversation.ts';
import { editingSession, exportedSession, failedSession, longSession, parallelSession, sessionText } from './fixtures/recorded.ts';

const recorded = [longSession, exportedSession, editingSession, failedSession, parallelSession];

function spansOf(text: string): HistorySpan[] {
  const conversation = new Conversation({ sinceMs: 0, agent: null, promptId: '' });
  return [...text.split('\n').flatMap((line) => conversation.read(line)), ...conversation.end(true)];
}

/** What a whole line of the model holds: its texts and its tool calls. */
function partsIn(line: string): string[] {
  const { type, message } = JSON.parse(line);
  if (type !== 'assistant') return [];
  return message.content.map((block: Record<string, string>) => block['text'] ?? block['thinking'] ?? block['id'] ?? '');
}

it('reads every whole line of a damaged file, and no span twice', () => {
  expectWholeLines({ texts: recorded.map(sessionText), read: spansOf, partsIn });
});
