import { expect, it } from 'vitest';
import { whatToTurnOn } from './not-kept.ts';

const entry = { path: '/v1/metrics', status: 200, spans_accepted: 0, spans_duplicate: 0, spans_rejected: 0 };

it('says what to turn on where nothing of a request is kept', () => {
  expect(whatToTurnOn(entry)).toContain('OTEL_LOGS_EXPORTER=otlp');
  expect(whatToTurnOn({ ...entry, path: '/v1/logs' })).toContain('OTEL_TRACES_EXPORTER=otlp');
});

it('says nothing where something is kept or was refused, and of an export without spans', () => {
  expect(whatToTurnOn({ ...entry, path: '/v1/logs', spans_accepted: 1 })).toBeNull();
  expect(whatToTurnOn({ ...entry, path: '/v1/logs', spans_duplicate: 1 })).toBeNull();
  expect(whatToTurnOn({ ...entry, status: 415 })).toBeNull();
  expect(whatToTurnOn({ ...entry, path: '/v1/traces' })).toBeNull();
});
