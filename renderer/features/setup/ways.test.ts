import { expect, it } from 'vitest';
import { ways } from './ways.ts';

const here = { origin: 'http://localhost:4242', appId: null, key: null };
const codeOf = (way: ReturnType<typeof ways>[number]) => way.steps.map(({ code }) => code).join('\n');

it('every way names the address this page came from, and has something to copy', () => {
  for (const way of ways(here)) expect(codeOf(way), way.id).toContain('http://localhost:4242');
  expect(ways(here)[0]?.steps[0]?.code).toBe(
    'export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4242\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  );
  for (const way of ways(here)) expect(codeOf(way), way.id).not.toMatch(/authorization|app-id/);
});

it('where keys are needed every way carries one, or a place for it, and says which app it is', () => {
  const target = { origin: 'https://glass.example', appId: 'app-1', key: null };
  for (const way of ways(target)) expect(codeOf(way), way.id).toMatch(/API_KEY[\s\S]*app-1/);
  for (const way of ways({ ...target, key: 'sk_service_1' })) expect(codeOf(way), way.id).toMatch(/sk_service_1[\s\S]*app-1/);
  expect(ways(target)[0]?.steps[0]?.code).toContain('export OTEL_EXPORTER_OTLP_HEADERS="authorization=<API_KEY>,x-service-app-id=app-1"');
});

it('no two ways share a name', () => {
  const ids = ways(here).map((way) => way.id);
  expect(new Set(ids).size).toBe(ids.length);
});
