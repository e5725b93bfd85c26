import { expect, it } from 'vitest';
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';
import { adviceOn, listed } from './advice.ts';

const entry = (change: Partial<IngestLogEntry>): IngestLogEntry => ({
  id: 'a',
  at: '2026-01-15T10:00:00.000Z',
  path: '/v1/traces',
  status: 200,
  code: null,
  message: '',
  hint: '',
  encoding: 'identity',
  media_type: 'application/json',
  bytes: 10,
  spans_accepted: 1,
  spans_duplicate: 0,
  spans_rejected: 0,
  families: { genai: 1 },
  kinds: { llm: 1 },
  duration_ms: 1,
  user_agent: '',
  batch: null,
  ...change,
});

it('gives no advice on a successful request', () => {
  expect(adviceOn(entry({}))).toBeNull();
});

it('suggests an instrumentation when no convention was recognised', () => {
  expect(adviceOn(entry({ families: { '': 2 } }))).toContain('instrumentation');
});

it.each([
  ['/', '/v1/traces'],
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', '4317'],
  ['/otlp/v1/traces', 'without /otlp.'],
])('a request to %s gets advice on the right address', (path, words) => {
  expect(adviceOn(entry({ path, code: 'not_found', status: 404 }))).toContain(words);
});

it('counts are listed in descending order, and an empty name gets a label', () => {
  expect(listed({ '': 1, aisdk: 3 }, 'plain')).toBe('aisdk 3, plain 1');
});
