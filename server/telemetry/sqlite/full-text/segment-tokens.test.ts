import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentTokens } from './segment-tokens.ts';
import { isOneWord, runsOf, wordLengthMax } from './tokenizer.ts';

const piece = fc.constantFrom(
  'a',
  'B',
  '_',
  '7',
  'é',
  'ж',
  '’',
  '漢',
  '😀',
  '\ud83d',
  ' ',
  '\n',
  '\\',
  '"',
  '%',
  'the ',
  'refund',
  'x'.repeat(60),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const span = fc.record({ trace: fc.integer({ min: 1, max: 4 }), input: text, output: text });
const wellFormed = (value: string) => value !== '' && value.isWellFormed();

function segmentOf(spans: { trace: number; input: string; output: string }[]): SegmentTokens {
  const builder = new SegmentBuilder(100);
  for (const [index, { trace, ...texts }] of spans.entries())
    builder.add(100 + index, { trace, scope: 1 }, { ...texts, props: '' }, (bytes) => !bytes.includes('made'));
  const { words, postings, ...rest } = builder.pack();
  return new SegmentTokens({ ...rest, read: (part) => ({ words, postings })[part] });
}

const tracesMarked = (segment: SegmentTokens, marks: Uint8Array | null) =>
  new Set([...segment.traces].filter((_, at) => marks !== null && marks[at] !== 0));

describe('the words of a segment', () => {
  it('find every trace that contains the text, and for a single word only those', () => {
    const cases = fc.tuple(fc.array(span, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), fc.nat(), text);
    fc.assert(
      fc.property(cases, ([spans, chosen, from, length, other]) => {
        const segment = segmentOf(spans);
        const { input } = spans[chosen % spans.length] as (typeof spans)[number];
        const start = from % (input.length + 1);
        for (const query of [input.slice(start, start + 1 + (length % 9)), other].filter(wellFormed)) {
          const runs = runsOf(query);
          if (runs.length === 0) continue;
          const partial = new Set([...segment.partialSpans('input'), ...segment.spansWithBlobs('input')]);
          const complete = spans.filter((_, row) => !partial.has(row));
          const expected = new Set(complete.filter(({ input: value }) => value.includes(query)).map(({ trace }) => trace));
          const marked = tracesMarked(segment, segment.tracesWith(runs, 'input'));
          expect(expected.difference(marked)).toEqual(new Set());
          const all = new Set(spans.filter(({ input: value }) => value.includes(query)).map(({ trace }) => trace));
          if (isOneWord(query, runs)) expect(marked.difference(all)).toEqual(new Set());
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('list traces with an empty field, and spans with blobs', () => {
    const segment = segmentOf([
      { trace: 7, input: 'said', output: '' },
      { trace: 8, input: 'x'.repeat(wordLengthMax + 1), output: 'done' },
    ]);
    expect(tracesMarked(segment, segment.empty('output'))).toEqual(new Set([7]));
    expect(tracesMarked(segment, segment.empty('input'))).toEqual(new Set());
    expect([segment.spansWithBlobs('input'), segment.partialSpans('input')]).toEqual([[1], []]);
    expect([segment.spansWithBlobs('output'), segment.partialSpans('output')]).toEqual([[], []]);
  });

  it('include the words around a blob, and list spans whose blobs are not in the raw span', () => {
    const blob = `${'QUJD'.repeat(30)}/+${'QUJD'.repeat(9)}==`;
    const segment = segmentOf([
      { trace: 7, input: `{"before":"${blob}","after":1}`, output: `made${blob}` },
      { trace: 8, input: `é${blob}`, output: `${blob}ж` },
    ]);
    for (const word of ['before', 'after']) expect(tracesMarked(segment, segment.tracesWith(runsOf(word), 'input'))).toEqual(new Set([7]));
    expect([segment.spansWithBlobs('input'), segment.partialSpans('input')]).toEqual([[0], [1]]);
    expect([segment.spansWithBlobs('output'), segment.partialSpans('output')]).toEqual([[], [0, 1]]);
  });

  it('are separate for each field of a trace', () => {
    const segment = segmentOf([{ trace: 7, input: 'asked', output: 'answered' }]);
    expect(tracesMarked(segment, segment.tracesWith(runsOf('asked'), 'output'))).toEqual(new Set());
    expect(tracesMarked(segment, segment.tracesWith(runsOf('swer'), 'output'))).toEqual(new Set([7]));
  });

  it('include all words of a growing history', () => {
    const segment = segmentOf([
      { trace: 7, input: '["one","two"]', output: '' },
      { trace: 7, input: '["one","two","three"]', output: '' },
    ]);
    for (const word of ['one', 'two', 'three'])
      expect(tracesMarked(segment, segment.tracesWith(runsOf(word), 'input'))).toEqual(new Set([7]));
  });
});
