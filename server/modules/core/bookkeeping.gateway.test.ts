import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRequest, aSpan, aTraceId, attributeList } from '../../../shared/fixtures/otlp.ts';
import { claudeRecord, logsRequest } from '../../fixtures/agent-records.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const codex = (spans: object[]) => gateway.ingest(aRequest(spans, { service: 'codex_exec', scope: 'codex_exec' }));
const post = (path: string, body: object) =>
  gateway.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const hints = async () => (await gateway.client.viewer.ingestLog({ query: {} })).data.map(({ path, hint }) => [path, hint] as const);

test('the ingest log says what to turn on after the first metrics, and after records without a prompt', async () => {
  expect((await post('/v1/metrics', { resourceMetrics: [] })).status).toBe(200);
  expect((await post('/v1/metrics', { resourceMetrics: [] })).status).toBe(200);
  expect((await hints()).map(([path]) => path)).toEqual(['/v1/metrics']);
  const record = claudeRecord('a-session', null);
  const records = [1, 2].map((atMs) => record({ name: 'plugin_loaded', atMs }));
  expect((await post('/v1/logs', logsRequest('claude-code', records))).status).toBe(200);
  const [path, hint] = (await hints())[0] ?? [];
  expect(path).toBe('/v1/logs');
  expect(hint).toMatch(/^2 log records of claude-code without a prompt id: claude_code\.plugin_loaded\. .*OTEL_LOG_USER_PROMPTS=1/);
});

test('traces of an agent’s own runtime are hidden from lists, counted, and readable by id', async () => {
  const [runtime, turn] = [aTraceId(), aTraceId()];
  await codex([aSpan({ traceId: runtime, name: 'get_model_info' })]);
  await codex([aSpan({ traceId: turn, name: 'turn/start' })]);
  const rows = async (query: object = {}) => (await gateway.client.traceList.rows({ query })).data;
  expect(await rows()).toMatchObject({ rows: [], total: 0, bookkeeping_hidden: 2 });
  // The turn arrives later, so the trace is no bookkeeping after all.
  const model = attributeList({ model: 'gpt-5-mini', 'codex.turn.token_usage.input_tokens': 7, 'codex.turn.token_usage.output_tokens': 3 });
  await codex([{ ...aSpan({ traceId: turn, name: 'session_task.turn' }), attributes: model }]);
  const list = await rows();
  expect(list.rows.map(({ id }) => id)).toEqual([turn]);
  expect(list).toMatchObject({ total: 1, bookkeeping_hidden: 1 });
  expect(list.rows[0]?.tokens).toBe(10);
  const all = await rows({ bookkeeping: 'include' });
  expect(all.rows.map(({ id }) => id).sort()).toEqual([runtime, turn].sort());
  expect(all).toMatchObject({ total: 2, bookkeeping_hidden: 0 });
  expect((await gateway.client.traces.list({ query: {} })).pagination.total).toBe(1);
  expect((await gateway.client.traces.list({ query: { bookkeeping: 'include' } })).pagination.total).toBe(2);
  expect((await gateway.client.traces.get({ params: { traceId: runtime }, query: {} })).data.name).toBe('get_model_info');
  const countOf = async (query: object) =>
    (await gateway.client.traceList.overTime({ query })).data.counts.reduce((sum, count) => sum + count, 0);
  expect([await countOf({}), await countOf({ bookkeeping: 'include' })]).toEqual([1, 2]);
  expect((await gateway.client.traceList.facets({ query: {} })).data.looked_at).toBe(1);
});
