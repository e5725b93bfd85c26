/** Records of coding agents count towards the plan like all other writes: only what is new, and not beyond what the plan allows. */
import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

let cloud: TestCloud;
afterEach(() => cloud.stop());

const timestamp = '2026-01-15T10:00:00.000Z';
const partOf = (session_id: string, count: number) => ({
  ...{ session_id, agent: 'codex', started_at: timestamp },
  events: Array.from({ length: count }, (_, seq) => ({ seq, type: 'user' as const, timestamp, text: 'x' })),
});
const ingest = (body: object) => cloud.tenant.client.agents.ingest({ body: body as never });
const usage = async () => (await cloud.tenant.owner.usage.get({})).data;

it('spans are counted once, and nothing more is stored when the month is used up', async () => {
  cloud = await startTestCloud({ planTable: plansWith({ enterprise: { monthly_spans: 10 } }) });
  await ingest(partOf('a', 4));
  await ingest(partOf('a', 4));
  expect((await usage()).spans.used).toBe(5);
  // It does not fit: the events are kept, and become spans when there is room.
  expect(await codeOf(ingest(partOf('b', 6)))).toBe('429 span_limit_exceeded');
  expect((await usage()).spans.used).toBe(5);
  await ingest(partOf('c', 4));
  expect((await ingest(partOf('c', 4))).data.events_added).toBe(0);
  expect(await codeOf(ingest(partOf('d', 1)))).toBe('429 span_limit_exceeded');
  expect(await codeOf(cloud.tenant.client.agents.get({ params: { sessionId: 'd' } }))).toBe('404 agent_session_not_found');
  await cloud.restart({ options: { planTable: plansWith({}) } });
  await expect.poll(async () => (await usage()).spans.used).toBe(17);
  expect((await ingest(partOf('b', 6))).data.events_added).toBe(0);
});

it('blobs and events take storage, and nothing more is stored when that is used up', async () => {
  cloud = await startTestCloud({ planTable: plansWith({ enterprise: { storage_bytes: 100_000 } }) });
  const blobOf = (size: number) => {
    const bytes = Buffer.alloc(size, String(size));
    return { sha256: createHash('sha256').update(bytes).digest('hex'), media_type: 'image/png', data: bytes.toString('base64') };
  };
  await ingest({ ...partOf('a', 1), blobs: [blobOf(60_000)] });
  const { bytes } = await usage();
  expect(bytes.used).toBeGreaterThan(60_000);
  expect(await codeOf(ingest({ ...partOf('b', 1), blobs: [blobOf(50_000)] }))).toBe('429 storage_cap_exceeded');
  expect((await usage()).bytes).toEqual(bytes);
  await ingest({ ...partOf('a', 1), blobs: [blobOf(60_000)] });
  expect((await usage()).bytes).toEqual(bytes);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => codeOf(ingest({ ...partOf(`c${index}`, 1), blobs: [blobOf(10_000 + index)] }))),
  );
  expect(new Set(answers)).toEqual(new Set(['none', '429 storage_cap_exceeded']));
  expect((await usage()).bytes.used).toBeLessThanOrEqual(100_000);
});
