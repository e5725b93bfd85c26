/** The standard OTLP ports beside the gateway's own: what they accept, who may send, and how they close. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Metadata } from '@grpc/grpc-js';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { requestBytes } from '../../shared/fixtures/otlp-protobuf.ts';
import { framed, GrpcConnection, method } from '../fixtures/grpc-call.ts';
import { someLogs, someSpans } from '../fixtures/sdk-records.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../fixtures/test-cloud.ts';
import { startTestGateway } from '../fixtures/test-gateway.ts';
import { plansWith } from '../limits/plan-table.ts';
import type { AnsweredRequest } from '../platform/observer.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { otlpPortsOf } from './otlp-ports.ts';

const free = { grpc: 0, http: 0 };
const aMessage = (traceId: string, count = 1): Uint8Array =>
  requestBytes(aRequest(Array.from({ length: count }, () => aSpan({ traceId }))));

test.each([
  ['on', { grpc: 4317, http: 4318 }],
  ['off', { grpc: null, http: null }],
  ['14317,14318', { grpc: 14317, http: 14318 }],
  ['0,0', free],
  ['4317', null],
  ['4317,70000', null],
  ['yes', null],
])('the option %s is parsed', (text, ports) => expect(otlpPortsOf(text)).toEqual(ports));

describe('a local gateway', () => {
  test('shows its open ports in its capabilities, and only a taken port stays closed', async () => {
    const gateway = await startTestGateway();
    const ports = async () => (await gateway.client.platform.capabilities()).otlp_ports;
    expect(await ports()).toEqual({ grpc: null, http: null });
    const occupier = createServer().listen(0, '127.0.0.1');
    await once(occupier, 'listening');
    const { port } = occupier.address() as AddressInfo;
    expect(await gateway.gateway.listenForOtlp({ grpc: port, http: 0 })).toEqual([{ protocol: 'grpc', port, code: 'EADDRINUSE' }]);
    expect(await ports()).toEqual({ grpc: null, http: expect.any(Number) });
    occupier.close();
    await gateway.stop();
  });

  test('spans sent to the HTTP port can be read at the gateway’s own, and that port serves nothing else', async () => {
    const gateway = await startTestGateway();
    await gateway.gateway.listenForOtlp(free);
    const url = `http://localhost:${gateway.gateway.otlpPorts.http}`;
    const traceId = aTraceId();
    const body = JSON.stringify(aRequest([aSpan({ traceId })]));
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    const sent = await send({ origin: 'http://localhost:3000' });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:3000']);
    expect((await gateway.fetch(`/v1/traces/${traceId}`)).status).toBe(200);
    expect((await send({ origin: 'https://a.example' })).status).toBe(403);
    for (const path of ['/', '/v1/traces', '/health', '/v1/capabilities', '/v1/openapi.json']) {
      const refused = await fetch(url + path);
      expect([refused.status, await refused.json()], path).toEqual([
        404,
        { error: { code: 'not_found', message: 'This port only takes OTLP' } },
      ]);
    }
    await gateway.gateway.listenForOtlp({ grpc: null, http: null });
    await expect(send({})).rejects.toThrow();
    expect((await gateway.fetch('/health')).status).toBe(200);
    await gateway.stop();
  });

  test('a stopping gateway answers its pending calls, and asks new ones to retry', async () => {
    const gateway = await startTestGateway();
    await gateway.gateway.listenForOtlp({ grpc: 0, http: null });
    const [running, late] = [new GrpcConnection(gateway.gateway.otlpPorts.grpc), new GrpcConnection(gateway.gateway.otlpPorts.grpc)];
    await late.call(aMessage(aTraceId()));
    const traceId = aTraceId();
    const message = framed(aMessage(traceId));
    const call = running.open();
    call.write(message.subarray(0, 30));
    await vi.waitFor(() => expect(gateway.gateway.working()).toBe(1), { timeout: 120_000 });
    const restarted = gateway.restart();
    expect(await late.call(aMessage(aTraceId()))).toMatchObject({ status: 14, retrySeconds: 1 });
    call.end(message.subarray(30));
    expect((await call.ended).status).toBe(0);
    await restarted;
    expect((await gateway.fetch(`/v1/traces/${traceId}`)).status).toBe(200);
    for (const connection of [running, late]) connection.close();
    await gateway.stop();
  });
});

describe('a cloud', () => {
  let cloud: TestCloud;
  let tenant: TestTenant;
  const answered: AnsweredRequest[] = [];
  beforeAll(async () => {
    const planTable = plansWith({ enterprise: { monthly_spans: 10 } });
    cloud = await startTestCloud({ otlpPorts: free, planTable, observers: [{ answered: (call) => void answered.push(call) }] });
    ({ tenant } = cloud);
  });
  afterAll(() => cloud.stop());

  const credentials = ({ api_key, app_id }: Pick<TestTenant, 'api_key' | 'app_id'>) => ({
    authorization: api_key,
    'x-agentmark-app-id': app_id,
  });
  const called = async (message: Uint8Array, headers: Record<string, string>) => {
    const connection = new GrpcConnection(cloud.gateway.otlpPorts.grpc);
    const ended = await connection.call(message, headers);
    connection.close();
    return ended;
  };

  test('the exporters of OpenTelemetry send spans and logs with a key in their metadata', async () => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(credentials(tenant))) metadata.set(name, value);
    const url = `http://localhost:${cloud.gateway.otlpPorts.grpc}`;
    const spans = someSpans(3);
    const traces = new OTLPTraceExporter({ url, metadata });
    expect(await new Promise((resolve) => traces.export(spans, resolve))).toEqual({ code: 0 });
    expect((await tenant.client.spans.list({ query: { limit: 10 } })).pagination.total).toBe(3);
    const logs = new OTLPLogExporter({ url, metadata });
    expect(await new Promise((resolve) => logs.export(someLogs(2), resolve))).toEqual({ code: 0 });
    await Promise.all([traces.shutdown(), logs.shutdown()]);
  });

  test('nothing is accepted without a valid key, without the permission, or for another app', async () => {
    const message = aMessage(aTraceId());
    const reader = (await tenant.owner.apiKeys.create({ body: { name: 'reader', permissions: ['trace.read'] } })).data;
    const other = await cloud.addTenant('umbrella');
    expect(await called(message, {})).toMatchObject({ status: 16, retrySeconds: null });
    expect(await called(message, { ...credentials(tenant), authorization: `${tenant.api_key}x` })).toMatchObject({ status: 16 });
    expect(await called(message, { ...credentials(tenant), 'x-agentmark-app-id': other.app_id })).toMatchObject({ status: 16 });
    const forbidden = await called(message, credentials({ ...tenant, api_key: reader.plaintext_key }));
    expect(forbidden).toMatchObject({ status: 7, message: 'forbidden: This needs the permission trace.write' });
  });

  test('an exhausted monthly quota is refused with the time until the next month', async () => {
    const full = await cloud.addTenant('full');
    expect((await called(aMessage(aTraceId(), 10), credentials(full))).status).toBe(0);
    const refused = await called(aMessage(aTraceId()), credentials(full));
    expect(refused).toMatchObject({ status: 8, message: 'span_limit_exceeded: The spans of this month are used up' });
    expect(refused.retrySeconds).toBeGreaterThan(0);
  });

  test('observers are notified of gRPC calls', async () => {
    const end = await called(new Uint8Array(0), { ...credentials(tenant), ':path': method('Metrics') });
    const request_id = String(end.headers['x-request-id']);
    await vi.waitFor(() => expect(answered.some((call) => call.request_id === request_id)).toBe(true), { timeout: 120_000 });
    expect(answered.find((call) => call.request_id === request_id)).toMatchObject({
      ...{ route: 'ingest-metrics', protocol: 'grpc', status: 200, tenant_id: tenant.tenant_id },
    });
  });

  test('a requested port that is taken makes the start fail', async () => {
    const taken = cloud.gateway.otlpPorts.http;
    await expect(startTestCloud({ otlpPorts: { grpc: null, http: taken } })).rejects.toThrow(StartRefusal);
  });
});
