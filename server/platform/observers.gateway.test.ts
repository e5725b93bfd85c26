/** What operators see of a gateway: Prometheus counts and one log line per answer, without any tenant data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import type { Log } from './log.ts';
import { Prometheus } from './prometheus.ts';
import { requestLog } from './request-log.ts';
import { version } from './version.ts';

const lines: Record<string, unknown>[] = [];
const log: Log = { info: (event, fields) => void lines.push({ event, ...fields }), error: () => {} };
const prometheus = new Prometheus();
let cloud: TestCloud;
let metricsServer: Awaited<ReturnType<Prometheus['listen']>>;

beforeAll(async () => {
  metricsServer = await prometheus.listen('127.0.0.1', 0);
  cloud = await startTestCloud({ observers: [prometheus, requestLog(log)] });
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ name: 'a secret name' })]));
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId: 'not an id' })]));
  await cloud.tenant.client.traces.list({ query: { name: 'a secret name' } });
  await cloud
    .as('sk_service_nobody', cloud.tenant.app_id)
    .traces.list({})
    .catch(() => {});
});
afterAll(async () => {
  await cloud.stop();
  await metricsServer.close();
});

const metrics = async (path = '/metrics') => fetch(`http://127.0.0.1:${metricsServer.port}${path}`);

it('counts answers by route and status, and reports process metrics', async () => {
  const text = await (await metrics()).text();
  expect(text).toContain('glasshouse_requests_total{route="ingest-traces",status="200"} 2');
  expect(text).toContain('glasshouse_requests_total{route="list-traces",status="401"} 1');
  expect(text).toContain('glasshouse_request_duration_seconds_count{route="list-traces"} 2');
  expect(text).toContain('glasshouse_spans_stored_total 1');
  expect(text).toContain('process_cpu_user_seconds_total');
  expect((await metrics('/')).status).toBe(404);
});

it('tells which gateway it is, the leases that it holds, and how long entries of its outboxes wait', async () => {
  const instance = readFileSync(join(cloud.dataDir, 'instance'), 'utf8').trim();
  await expect.poll(async () => (await metrics()).text()).toContain('glasshouse_leases_held{kind="alerts"} 1');
  const text = await (await metrics()).text();
  expect(text).toContain(`glasshouse_build_info{version="${version}"} 1`);
  expect(text).toContain(`glasshouse_gateway_info{gateway="${instance}"} 1`);
  expect(text).toContain('glasshouse_leases_held{kind="hosting"} 1');
  for (const outbox of ['scores', 'app erasures', 'agent sessions'])
    expect(text).toContain(`glasshouse_outbox_oldest_seconds{outbox="${outbox}"} 0`);
});

it('counts errors by code, and tells of queues, limits, alerts, damage and the disk', async () => {
  const text = await (await metrics()).text();
  expect(text).toContain('glasshouse_errors_total{code="unauthorized"} 1');
  expect(text).toContain('glasshouse_errors_total{code="internal_error"} 0');
  for (const result of ['delivered', 'waiting', 'failed', 'blocked', 'skipped'])
    expect(text).toContain(`glasshouse_alert_attempts_total{result="${result}"} 0`);
  for (const pool of ['ingest', 'requests', 'streams']) {
    expect(text).toContain(`glasshouse_in_flight{pool="${pool}"} 0`);
    expect(text).toContain(`glasshouse_share_refusals_total{pool="${pool}"} 0`);
  }
  expect(text).toContain('glasshouse_ingest_queue_requests 0');
  expect(text).toContain('glasshouse_spans_rejected_total 1');
  expect(text).toContain('glasshouse_store_damaged 0');
  expect(text).toMatch(/^glasshouse_disk_free_bytes [1-9]\d{6,}$/m);
  // A gateway without a journal has none of its bytes.
  expect(text).not.toMatch(/^glasshouse_journal_bytes /m);
});

it('logs who was answered, how and for how long', () => {
  expect(lines).toContainEqual({
    ...{ event: 'answered', route: 'list-traces', method: 'GET', protocol: 'http', status: 200, code: null },
    ...{ tenant_id: cloud.tenant.tenant_id },
    ...{ duration_ms: expect.any(Number), request_id: expect.any(String) },
  });
  expect(lines).toContainEqual(expect.objectContaining({ route: 'list-traces', status: 401, code: 'unauthorized', tenant_id: null }));
});

it('exposes neither requested nor stored data, and no credentials', async () => {
  const all = JSON.stringify(lines) + (await (await metrics()).text());
  for (const secret of ['a secret name', cloud.tenant.api_key, cloud.tenant.token, cloud.tenant.password, cloud.tenant.app_id]) {
    expect(all).not.toContain(secret);
  }
});
