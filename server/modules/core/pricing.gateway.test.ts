import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-pricing-'));
let gateway: TestGateway;
const { client, fetch, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  writeFileSync(join(dataDir, 'prices.json'), JSON.stringify({ models: { 'house-model': { input: 2, output: 10 } } }));
  gateway = await startTestGateway({ dataDir });
});

afterAll(async () => {
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('prices are a plain map of US dollars for a thousand tokens, which may be cached for a day', async () => {
  const response = await fetch('/v1/pricing');
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  const prices = await client.pricing.list();
  expect(Object.keys(prices).length).toBeGreaterThan(100);
  expect(prices['gpt-4o']?.promptPrice).toBeGreaterThan(0.000_1);
  expect(prices['gpt-4o']?.promptPrice).toBeLessThan(0.1);
});

it('the user’s own prices are in the map and determine the cost of a call', async () => {
  expect((await client.pricing.list())['house-model']).toEqual({ promptPrice: 0.002, completionPrice: 0.01 });
  await gateway.ingest(aRequest([aChat({ model: 'house-model', inputTokens: 1000, outputTokens: 100 })]));
  const { data } = await client.spans.list({ query: { model: 'house-model' } });
  expect(data).toMatchObject([{ cost: 0.003, cost_source: 'computed' }]);
});

it('every declared answer of this route was received', () => {
  expect(unseen('pricing')).toEqual([]);
});
