/** Session files that are cut off or damaged: what is whole in them is read, and nothing twice. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { type HistorySpan, resourceSpan } from '../otlp-span.ts';
import { Conversation } from './conversation.ts';
import { editingSession, exportedSession, failedSession, longSession, parallelSession, sessionText } from './fixtures/recorded.ts';

const recorded = [longSession, exportedSession, editingSession, failedSession, parallelSession];
const sessions = recorded.map((session) => Buffer.from(sessionText(session)));

interface Damage {
  session: number;
  /** Bytes that are left. */
  length: number;
  flips: { at: number; bit: number }[];
}

const damage: fc.Arbitrary<Damage> = fc.record({
  session: fc.nat(sessions.length - 1),
  length: fc.oneof(fc.constant(Number.MAX_SAFE_INTEGER), fc.nat(60_000)),
  flips: fc.array(fc.record({ at: fc.nat(60_000), bit: fc.nat(7) }), { maxLength: 12 }),
});

function damagedText({ session, length, flips }: Damage): string {
  const bytes = Buffer.from(sessions[session] ?? []).subarray(0, length);
  for (const { at, bit } of flips) if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes.toString();
}

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
  const wholeLines = new Set(sessions.flatMap((bytes) => bytes.toString().trim().split('\n')));
  fc.assert(
    fc.property(damage, (damaged) => {
      const text = damagedText(damaged);
      const spans = spansOf(text);
      expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(spans.length);
      const sent = spans.map(resourceSpan).join('\n');
      const expected = text.split('\n').filter((line) => wholeLines.has(line));
      for (const part of expected.flatMap(partsIn)) expect(sent).toContain(JSON.stringify(JSON.stringify(part)).slice(3, -3));
    }),
    { numRuns: propertyRuns(1000) },
  );
});
