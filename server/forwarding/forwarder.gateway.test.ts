/** Forwards from the store of a machine to a real cloud. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Score } from '../../shared/contract/evaluation/scores.ts';
import { aChat, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { systemClock } from '../platform/clock.ts';
import { batchOf } from '../telemetry/conformance/batch-of.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import { openSqliteTelemetry, telemetryFile } from '../telemetry/sqlite/store.ts';
import { CloudLine } from './cloud-line.ts';
import { Forwarder } from './forwarder.ts';
import { Redaction } from './redaction.ts';

const scope = { tenant_id: 'local', app_id: 'local' };
const worker = new URL('../entry/thread.ts', import.meta.url);

let folder: string;
let local: LocalTelemetryStore;
let redaction: Redaction;
let cloud: TestCloud;
let forwarder: Forwarder;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-forwarder-'));
  local = await openSqliteTelemetry(folder, worker);
  redaction = new Redaction(worker);
  cloud = await startTestCloud();
});
afterEach(async () => {
  await forwarder.stop();
  await redaction.stop();
  await cloud.stop();
  await local.stop();
  rmSync(folder, { recursive: true, force: true });
});

const forward = () => {
  const line = new CloudLine({ url: cloud.url, key: cloud.tenant.api_key, appId: cloud.tenant.app_id });
  forwarder = new Forwarder({ telemetry: local, redaction, scope, name: 'cloud', line, clock: systemClock }).start();
};
const inCloud = async () => (await cloud.tenant.client.spans.list({ query: { limit: 100 } })).data.map(({ id }) => id).sort();
const left = async () => (await local.forwarding.backlog(scope, 'cloud'))?.decode();

it('stored and new spans arrive in the cloud once, unchanged', async () => {
  const ids = Array.from({ length: 40 }, () => ({ traceId: aTraceId(), spanId: aSpanId() }));
  await local.writer.write(
    scope,
    batchOf(
      ids.slice(0, 20).map((each) => aChat(each)),
      Date.now(),
    ),
  );
  await local.forwarding.begin(scope, 'cloud', true);
  forward();
  await expect.poll(() => left()).toMatchObject({ spans: 0, sent: 20 });
  for (const each of ids.slice(20)) await local.writer.write(scope, batchOf([aChat(each)], Date.now()));
  await expect.poll(() => left()).toMatchObject({ spans: 0, sent: 40, refused: 0, dead_letters: 0 });
  expect(await inCloud()).toEqual(ids.map(({ spanId }) => spanId).sort());
  await expect.poll(() => forwarder.state).toEqual({ is: 'up_to_date' });

  const [{ traceId, spanId }] = ids as [(typeof ids)[number]];
  const raw = (await local.spans.raw(scope, traceId, spanId))?.decode() as { span: object; resource: object };
  const there = (await cloud.tenant.client.viewer.rawSpan({ params: { traceId, spanId } })).data;
  expect([there.span, there.resource]).toEqual([raw.span, raw.resource]);
});

it('an unknown key pauses forwarding, and a valid one continues where it stopped', async () => {
  await local.writer.write(scope, batchOf([aChat(), aChat()], Date.now()));
  await local.forwarding.begin(scope, 'cloud', true);
  const wrong = new CloudLine({ url: cloud.url, key: 'sk_service_wrong', appId: cloud.tenant.app_id });
  forwarder = new Forwarder({ telemetry: local, redaction, scope, name: 'cloud', line: wrong, clock: systemClock }).start();
  await expect.poll(() => forwarder.state).toMatchObject({ is: 'paused', reason: 'key' });
  expect(await left()).toMatchObject({ spans: 2, sent: 0 });
  await forwarder.stop();
  forward();
  await expect.poll(() => left()).toMatchObject({ spans: 0, sent: 2 });
  expect(await inCloud()).toHaveLength(2);
});

it('scores arrive with their spans, and a refused score becomes a dead letter with the reason', async () => {
  const about = { traceId: aTraceId(), spanId: aSpanId() };
  await local.writer.write(scope, batchOf([aChat(about)], Date.now()));
  const aScore = (name: string): Score => ({
    ...{ id: randomUUID(), resource_id: about.spanId, name, score: 0.5, label: '', reason: '', source: 'api' },
    created_at: new Date().toISOString(),
  });
  await local.scores.insert(scope, ['tone', '', 'truth', 'length'].map(aScore));
  await local.forwarding.begin(scope, 'cloud', true);
  forward();
  await expect.poll(() => left()).toMatchObject({ spans: 0, scores: 0, sent: 1, dead_letters: 1 });
  await local.scores.insert(scope, [aScore('late')]);
  forwarder.wake();
  await expect.poll(() => left()).toMatchObject({ scores: 0, dead_letters: 1 });
  await expect.poll(() => forwarder.state).toEqual({ is: 'up_to_date' });

  const there = await cloud.tenant.client.scores.list({ query: { resource_id: about.spanId } });
  expect(there.data.map(({ name }) => name).sort()).toEqual(['late', 'length', 'tone', 'truth']);
  const deadLetters = await local.forwarding.deadLetters(scope, 'cloud', { limit: 10, offset: 0 });
  expect(deadLetters.data.decode()).toMatchObject([{ kind: 'scores', reason: 'name is required' }]);
});

it('a damaged record becomes a dead letter with the reason, and everything else arrives', async () => {
  const ids = Array.from({ length: 3 }, () => ({ traceId: aTraceId(), spanId: aSpanId() }));
  // One batch each, so that each has a block of its own.
  for (const each of ids) await local.writer.write(scope, batchOf([aChat(each)], Date.now()));
  const db = new Database(telemetryFile(folder));
  db.exec('UPDATE block SET data = zeroblob(length(data)) WHERE id = 2');
  db.close();
  await local.forwarding.begin(scope, 'cloud', true);
  forward();
  await expect.poll(() => left()).toMatchObject({ spans: 0, sent: 2, dead_letters: 1 });
  expect(await inCloud()).toEqual([ids[0]?.spanId, ids[2]?.spanId].sort());
  const deadLetters = await local.forwarding.deadLetters(scope, 'cloud', { limit: 10, offset: 0 });
  expect(deadLetters.data.decode()).toMatchObject([
    { trace_id: ids[1]?.traceId, reason: expect.stringMatching(/^Damaged in this store: ./) },
  ]);
  expect(await local.forwarding.deadLetterLines(scope, 'cloud', 10)).toHaveLength(0);
});
