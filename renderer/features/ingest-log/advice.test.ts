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

it('says nothing of what went well', () => {
  expect(adviceOn(entry({}))).toBeNull();
});

it('tells spans that no convention explains how to say more', () => {
  expect(adviceOn(entry({ families: { '': 2 } }))).toContain('instrumentation');
});

it.each([
  ['/', '/v1/traces'],
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', '4317'],
  ['/otlp/v1/traces', 'without /otlp.'],
])('a request to %s is told the right way', (path, words) => {
  expect(adviceOn(entry({ path, code: 'not_found', status: 404 }))).toContain(words);
});

it('counts are listed with the most first, and what has no name is named', () => {
  expect(listed({ '': 1, aisdk: 3 }, 'plain')).toBe('aisdk 3, plain 1');
});
