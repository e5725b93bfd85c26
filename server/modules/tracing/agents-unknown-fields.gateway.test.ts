/** Warnings about unknown fields of agent sessions, and the duration of a session that is still running. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 10, 0, second)).toISOString();
const about = (session_id: string) => ({ session_id, agent: 'claude_code', started_at: at(0) });
const userEvent = (seq: number, more: object = {}) => ({ seq, type: 'user' as const, timestamp: at(seq), text: 'hello', ...more });

it('unknown fields are named with suggestions, and known fields are stored', async () => {
  const { client } = cloud.tenant;
  const events = [userEvent(0), userEvent(1, { content: 'Why?', text: undefined }), userEvent(2, { content: 'And?', __proto: 1 })];
  const { data } = await client.agents.ingest({ body: { ...about('strange'), nonsense: 1, modle: 'x', events } });
  expect(data).toMatchObject({ events_added: 3 });
  expect(data.warnings).toEqual([
    '"nonsense" is not a known field and was left out.',
    '"modle" is not a known field and was left out, did you mean model?',
    '"events.1.content" is not a known field and was left out, did you mean text? It occurs in 2 events.',
    '"events.2.__proto" is not a known field and was left out.',
  ]);
  const stored = (await client.agents.get({ params: { sessionId: 'strange' } })).data;
  expect(stored.events).toEqual([userEvent(0), { seq: 1, type: 'user', timestamp: at(1) }, userEvent(2)]);
  expect(stored).not.toHaveProperty('nonsense');
});

it('a session of known fields has no warnings, and the number of warnings is limited', async () => {
  const { client } = cloud.tenant;
  expect((await client.agents.ingest({ body: { ...about('plain'), events: [userEvent(0)] } })).data).not.toHaveProperty('warnings');
  const unknownFields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
  const { data } = await client.agents.ingest({ body: { ...about('loud'), ...unknownFields, events: [userEvent(0, unknownFields)] } });
  expect(data.warnings?.length).toBe(50);
});

it('its URL names the app', async () => {
  const { client, app_id } = cloud.tenant;
  const { data } = await client.agents.ingest({ body: { ...about('linked'), events: [userEvent(0)] } });
  expect(data.url).toBe(`${cloud.url}/#/sessions/linked?app=${app_id}`);
  expect((await client.agents.list({ query: {} })).data.every(({ url }) => url.endsWith(`?app=${app_id}`))).toBe(true);
});

it('a running session has lasted until its latest event, and an ended one until its end', async () => {
  const { client } = cloud.tenant;
  const events = [userEvent(1), { ...userEvent(41), type: 'tool_call' as const, tool_name: 'Bash', tool_call_id: 'c' }];
  const { trace_id } = (await client.agents.ingest({ body: { ...about('running'), events } })).data;
  const latencies = async () => {
    const trace = (await client.traces.list({ query: {} })).data.find(({ id }) => id === trace_id);
    const session = (await client.sessions.list({ query: {} })).data.find(({ id }) => id === 'running');
    return [trace?.latency_ms, session?.latency_ms];
  };
  expect(await latencies()).toEqual([41_000, 41_000]);
  await client.agents.ingest({ body: { ...about('running'), events: [userEvent(60)] } });
  expect(await latencies()).toEqual([60_000, 60_000]);
  await client.agents.ingest({ body: { ...about('running'), ended_at: at(59), events: [] } });
  expect(await latencies()).toEqual([59_000, 59_000]);
});
