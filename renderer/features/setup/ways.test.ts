import { expect, it } from 'vitest';
import { ways } from './ways.ts';

it('every way names the address this page came from, and has something to copy', () => {
  for (const way of ways('http://localhost:4242')) {
    expect(
      way.steps.some((step) => step.code.includes('http://localhost:4242')),
      way.id,
    ).toBe(true);
  }
  expect(ways('http://localhost:4242')[0]?.steps[0]?.code).toBe(
    'export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4242\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  );
});

it('no two ways share a name', () => {
  const ids = ways('').map((way) => way.id);
  expect(new Set(ids).size).toBe(ids.length);
});
