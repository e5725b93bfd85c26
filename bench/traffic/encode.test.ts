import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeJson } from '../../server/ingest/otlp/decode-json.ts';
import { decodeProtobuf } from '../../server/ingest/otlp/decode-protobuf.ts';
import { AgentStream } from './agent-stream.ts';
import { encode, headersOf } from './formats.ts';
import { agentService, nanoseconds, type Span } from './span.ts';

const stream = new AgentStream('test', Date.UTC(2026, 0, 1));
const spans = [...Array.from({ length: 20 }, () => stream.next()).flat(), ...stream.special(10).spans];

const unusual: Span = {
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id: 'b7ad6b7169203331',
  parent_id: '',
  name: 'ünïcode 🦉',
  kind: 3,
  start_ns: '1795226832966000001',
  end_ns: '1795226832966999999',
  attributes: [
    ['empty', ''],
    ['zero', 0],
    ['large', 9_007_199_254_740_991],
    ['third', 1 / 3],
    ['no', false],
    ['long', 'y'.repeat(300_000)],
  ],
  events: [],
  status_code: 2,
  status_message: 'says "why"',
};

test('JSON and protobuf bodies carry the same spans', () => {
  const all = [...spans, unusual];
  const json = decodeJson(encode(all, agentService, 'json'));
  const protobuf = decodeProtobuf(encode(all, agentService, 'protobuf'));
  expect(protobuf).toEqual(json);
  expect(json.rejected).toEqual([]);
  expect(json.spans.map(({ span }) => [span.trace_id, span.span_id, span.parent_id ?? '', span.start_ns, span.end_ns])).toEqual(
    all.map((span) => [span.trace_id, span.span_id, span.parent_id, span.start_ns, span.end_ns]),
  );
  expect(json.spans.at(-1)?.span.attributes).toEqual(unusual.attributes);
});

test('gzip bodies decompress to the plain ones, and have the matching headers', () => {
  expect(gunzipSync(encode(spans, agentService, 'json-gzip'))).toEqual(encode(spans, agentService, 'json'));
  expect(gunzipSync(encode(spans, agentService, 'protobuf-gzip'))).toEqual(encode(spans, agentService, 'protobuf'));
  expect(headersOf('protobuf-gzip')).toEqual({ 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' });
});

test('the same seed gives the same traffic', () => {
  const again = new AgentStream('test', Date.UTC(2026, 0, 1));
  expect(Array.from({ length: 20 }, () => again.next()).flat()).toEqual(spans.slice(0, -10));
});

test('fractional nanoseconds keep their leading zeros', () => {
  expect(nanoseconds(1000.0625)).toBe('1000062500');
  expect(nanoseconds(1_795_226_832_966)).toBe('1795226832966000000');
});
