import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { aRequest } from '../../../../shared/fixtures/otlp.ts';
import { span as anySpan } from '../../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { SpanTexts } from '../../../ingest/normalise/index.ts';
import { decodeJson } from '../../../ingest/otlp/decode-json.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { BatchBuilder } from '../../../ingest/prepare/prepare.ts';
import type { Slice } from '../../../ingest/prepare/prepared.ts';
import { spanDataOf } from '../../../ingest/prepare/span-data-of.ts';
import { foldedWordsOf, type QueryWord, queryWordsOf } from './query-words.ts';
import { WordGroup } from './word-group.ts';
import { WordScanner } from './word-scanner.ts';
import { WordTable } from './word-table.ts';

const pricing = createPricing();
/** Words as long as these are what people search for; shorter ones begin anywhere in a text. */
const lengths = [3, 4, 7, 12, 40];

/** Parts of the texts of a span for which its signature says that they are not there, as they are or in capitals. */
function missedParts(span: object): string[] {
  const { spans } = decodeJson(Buffer.from(JSON.stringify(aRequest([span]))));
  const builder = new BatchBuilder(pricing, 0);
  for (const decoded of spans) builder.add(decoded);
  const batch = builder.finish();
  return batch.spans.flatMap((prepared) => {
    const table = new WordTable();
    const scanner = new WordScanner(table);
    const bytes = ({ at, size }: Slice) => Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset + at, size);
    table.selectUnit(0);
    scanner.scan(bytes(prepared.record), true);
    for (const text of prepared.texts) scanner.scan(bytes(text), false);
    for (const resource of batch.resources) scanner.scan(Buffer.from(resource), false);
    const { words, planes } = table.pack(0, 1);
    const group = new WordGroup(words, () => planes, 1);
    const isMissed = (words: QueryWord[]) => ((group.unitsWith(words).units[0] as number) & 1) === 0;
    const { input, output, props, error, tool_arguments, texts } = new SpanTexts(withLogsAsEvents(spanDataOf(batch, prepared)));
    const asSent = [input, output, props, ...error, ...tool_arguments].flatMap(partsOf).filter((part) => isMissed(queryWordsOf(part)));
    const inAnyCase = texts.flatMap(partsOf).filter((part) => isMissed(foldedWordsOf(part.toUpperCase())) && isSame(part));
    return [...asSent, ...inAnyCase];
  });
}

/** Whether capitals and small letters are the same for words; ß and some others have no capital of one letter. */
const isSame = (part: string): boolean => foldCase(part.toUpperCase()) === foldCase(part);

function partsOf(text: string): string[] {
  const step = Math.max(1, Math.floor(text.length / 60));
  const starts = Array.from({ length: Math.ceil(text.length / step) }, (_, at) => at * step);
  const windows = starts.flatMap((start) => lengths.map((length) => text.slice(start, start + length)));
  return [text.slice(0, 500), ...windows].filter((part) => part !== '' && part.isWellFormed());
}

const word = fc.oneof(
  fc.constantFrom('refund', 'Paris', 'the', 'a1b2c3', 'snake_case_name', 'x', 'été', 'Привет', '日本語のテキスト', '😀😀', '\ud83d'),
  fc.constantFrom('tab\tnew\nline', 'quote"back\\slash', 'nul\0inside', 'esc\u001b[31mred', 'low\u0007bell', 'fn\\u0041bc', '\\u00e9t'),
  fc.constantFrom(`blob${'QUJDabc0'.repeat(40)}`, 'z'.repeat(64), `${'é'.repeat(33)}`, 'resp_0123456789abcdef01234567'),
  fc.double({ noNaN: true }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
  fc.constantFrom('1e3', '1E+5', '1.5e+16', '0.00000012', '1.50', '12345678901234567', '0.123456789012345678'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const long = text.map((value) => `${'history of a conversation\n'.repeat(45)}${value}`);
const anyText = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: long });
const json = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 3 });
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const chunks = fc.array(fc.oneof(fc.constantFrom('ref', 'und', 'é', '', 'Hello ', ', x'), fc.string({ maxLength: 5 })), {
  minLength: 2,
  maxLength: 6,
});

/** JSON as Python writes it: everything beyond ASCII is escaped, and so may be letters. */
const escaped = (value: string, all: boolean): string =>
  value.replace(
    all ? /[\u0080-\uffffA-Ma-m]/g : /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const message = fc.oneof(
  anyText.map((content) => ({ role: 'user', content })),
  fc.tuple(anyText, json).map(([content, value]) => ({
    role: 'assistant',
    content: [
      { type: 'text', text: content },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'find', args: value },
    ],
  })),
  fc.tuple(anyText, json).map(([content, value]) => ({
    role: 'assistant',
    parts: [
      { type: 'text', content },
      { type: 'tool_call', id: 'i', name: 'n', arguments: JSON.stringify(value) },
    ],
  })),
  bytes.map((data) => ({ role: 'user', content: [{ type: 'image', image: { type: 'Buffer', data: [...data] }, mimeType: 'image/png' }] })),
  bytes.map((data) => ({ role: 'user', content: [{ type: 'file', data: { ...data }, mediaType: 'application/pdf' }] })),
);
const body = fc.oneof(
  fc.array(message, { minLength: 1, maxLength: 4 }),
  chunks.map((parts) => ({ content: { role: 'model', parts: parts.map((part) => ({ text: part })) } })),
  chunks.map((parts) => ({
    candidates: [{ content: { parts: parts.map((part, at) => ({ thought: at === 1, text: part })), role: 'model' } }],
  })),
  chunks.map((parts) => ({ message: { role: 'model', content: parts.map((part) => ({ text: part })) }, finishReason: 'stop' })),
  json,
  anyText,
  fc.array(fc.double({ noNaN: true }), { minLength: 90, maxLength: 130 }).map((embedding) => ({ embedding })),
);
const written = fc.oneof(
  body.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  body.map((value) => JSON.stringify(JSON.stringify(value))),
  fc.tuple(body, fc.boolean()).map(([value, all]) => escaped(JSON.stringify(value), all)),
  body.map((value) => JSON.stringify(value, null, 2)),
);
const key = fc.constantFrom(
  ...['gen_ai.input.messages', 'gen_ai.output.messages', 'input.value', 'output.value', 'ai.prompt.messages', 'agentmark.props'],
  ...['gcp.vertex.agent.llm_request', 'gcp.vertex.agent.llm_response', 'genkit:output', 'gen_ai.tool.call.result', 'ai.response.text'],
);
const kind = fc.constantFrom('llm', 'tool', 'embedding', 'function', 'retrieval');
const contentSpan = fc.record({ kind, values: fc.dictionary(key, written, { minKeys: 1, maxKeys: 3 }) }).map(({ kind: name, values }) => ({
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  name: 'span',
  startTimeUnixNano: '1768471200123456789',
  endTimeUnixNano: '1768471200223456789',
  attributes: [
    { key: 'agentmark.span.kind', value: { stringValue: name } },
    ...Object.entries(values).map(([attribute, stringValue]) => ({ key: attribute, value: { stringValue } })),
  ],
}));

describe('the words that a span was sent with', () => {
  it('include the words of every part of its contents', () => {
    fc.assert(
      fc.property(contentSpan, (span) => {
        expect(missedParts(span)).toEqual([]);
      }),
      { numRuns: propertyRuns(1000), endOnFailure: true },
    );
  });

  it('include those of any span that the protocol allows', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        expect(missedParts(span)).toEqual([]);
      }),
      { numRuns: propertyRuns(500), endOnFailure: true },
    );
  });
});
