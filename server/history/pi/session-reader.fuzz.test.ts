/** Session files that are cut off or damaged: what is whole in them is read, and nothing twice. */
import { it } from 'vitest';
import { expectWholeLines } from '../fixtures/damage.ts';
import { earlierSession, longSession, readerOf, refusedSession, sessionText, writingSession } from './fixtures/recorded.ts';

const recorded = [longSession, refusedSession, writingSession, earlierSession];

/** What a whole line holds: the lines of its texts, and the ids of its tool calls. */
function partsIn(line: string): string[] {
  const { type, message, summary } = JSON.parse(line);
  if (type === 'compaction') return summary.split('\n');
  if (type !== 'message' || !Array.isArray(message.content)) return [];
  const texts = message.content.map(({ text, thinking, id }: Record<string, string>) => text ?? thinking ?? id ?? '');
  return [...texts.flatMap((text: string) => text.split('\n')), message.toolCallId ?? ''];
}

it('reads every whole line of a damaged file, and no span twice', () => {
  expectWholeLines({
    texts: recorded.map(sessionText),
    read(text) {
      const reader = readerOf(longSession);
      return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(true)];
    },
    partsIn,
  });
});
