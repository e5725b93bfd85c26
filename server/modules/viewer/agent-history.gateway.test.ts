/** The history of the coding agents of a machine, with recorded session files: read when it is asked for, and followed while an agent runs. */
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentHistory, type HistoryAgent, historyAgents } from '../../../shared/contract/viewer/agent-history.ts';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { exportedSession } from '../../fixtures/exported-sessions.ts';
import { HistoryFolders, storedTraces } from '../../fixtures/imported-history.ts';
import { startTestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { longSession, sessionText } from '../../history/claude-code/fixtures/recorded.ts';
import { must } from '../../platform/assert.ts';

const folders = new HistoryFolders();
let home: string;
let gateway: TestGateway;

beforeEach(async () => {
  home = folders.home();
  gateway = await startTestGateway({ homeDir: home, environment: {} });
});
afterEach(() => gateway.stop());
afterAll(() => folders.remove());

const list = async () => (await gateway.client.agentHistories.list()).data;
const of = (agent: HistoryAgent) => async (): Promise<AgentHistory> =>
  must(
    (await list()).find((found) => found.agent === agent),
    agent,
  );
const show = (agents: HistoryAgent[], is_shown = true) => gateway.client.agentHistories.show({ body: { agents, is_shown } });
const traceCount = async () => (await gateway.client.traces.list({ query: { limit: 1 } })).pagination.total;
const states = async () => (await list()).map(({ state }) => state);
const patience = { timeout: 60_000 };

it('is found, and not read before it is asked for', async () => {
  expect(await list()).toMatchObject([
    { agent: 'claude-code', sessions: 5, is_shown: false, state: 'off', sessions_read: 0, traces: 0, problem: null, left_out: [] },
    { agent: 'codex', sessions: 6, is_shown: false, state: 'off' },
    { agent: 'gemini', sessions: 5, is_shown: false, state: 'off' },
    { agent: 'pi', sessions: 5, is_shown: false, state: 'off' },
  ]);
  const [claude] = await list();
  expect(claude).toMatchObject({ folder: join(home, '.claude/projects'), bytes: expect.any(Number), newest_at: expect.any(String) });
  expect(await traceCount()).toBe(0);
});

it('has nothing where no agent is used', async () => {
  await gateway.stop();
  gateway = await startTestGateway({ homeDir: folders.empty(), environment: {} });
  expect(await list()).toMatchObject(historyAgents.map((agent) => ({ agent, sessions: 0, newest_at: null, problem: null })));
  await show(['codex']);
  await expect.poll(of('codex')).toMatchObject({ state: 'up-to-date', sessions: 0, problem: null });
});

it('is read whole, and says how far', async () => {
  await show([...historyAgents]);
  await expect.poll(states, patience).toEqual(historyAgents.map(() => 'up-to-date'));
  const found = await list();
  for (const { sessions, sessions_read, left_out } of found) expect([sessions_read, left_out]).toEqual([sessions, []]);
  expect(found.map(({ traces }) => traces)).toEqual([13, 9, 8, 12]);
  expect(await traceCount()).toBe(found.reduce((sum, { traces }) => sum + traces, 0));
});

describe('a session that goes on', () => {
  const path = () => join(home, '.claude/projects/-home-ada-ferries', `${longSession}.jsonl`);
  const lines = sessionText(longSession).split('\n');
  const cut = 12;

  it('is followed line by line, of which only the new ones are stored, and ends as if it were read once', async () => {
    writeFileSync(path(), `${lines.slice(0, cut).join('\n')}\n`);
    await show(['claude-code']);
    await expect.poll(of('claude-code'), patience).toMatchObject({ state: 'up-to-date', sessions_read: 5 });
    let spans = 0;
    gateway.gateway.follow(({ span_count }) => {
      spans += span_count;
    });
    // Half a line.
    appendFileSync(path(), (lines[cut] ?? '').slice(0, 30));
    appendFileSync(path(), `${(lines[cut] ?? '').slice(30)}\n${lines.slice(cut + 1).join('\n')}`);
    utimesSync(path(), new Date(2026, 0, 1), new Date(2026, 0, 1));
    await expect.poll(async () => (await of('claude-code')()).traces, patience).toBe(13);
    await expect.poll(of('claude-code'), patience).toMatchObject({ state: 'up-to-date', sessions_read: 5, left_out: [] });
    const grown = await storedTraces(gateway);
    expect(spans).toBeLessThan(grown.flatMap(({ spans: stored }) => stored).length);
    await gateway.stop();
    gateway = await startTestGateway({ homeDir: home, environment: {} });
    await show(['claude-code']);
    await expect.poll(of('claude-code'), patience).toMatchObject({ state: 'up-to-date', sessions_read: 5 });
    expect(await storedTraces(gateway)).toEqual(grown);
  });

  it('goes on after a restart, and stops when it is turned off, which keeps what was read', async () => {
    writeFileSync(path(), `${lines.slice(0, cut).join('\n')}\n`);
    await show(['claude-code']);
    await expect.poll(of('claude-code'), patience).toMatchObject({ state: 'up-to-date' });
    const before = await traceCount();
    appendFileSync(path(), lines.slice(cut).join('\n'));
    await gateway.restart();
    await expect.poll(traceCount, patience).toBe(13);
    expect(await of('claude-code')()).toMatchObject({ is_shown: true });
    expect(before).toBeLessThan(13);

    await show(['claude-code'], false);
    expect(await of('claude-code')()).toMatchObject({ is_shown: false, state: 'off' });
    await gateway.restart();
    expect(await of('claude-code')()).toMatchObject({ is_shown: false, state: 'off' });
    expect(await traceCount()).toBe(13);
  });
});

it('says what could not be read, and reads the rest', async () => {
  const day = join(home, '.codex/sessions/2026/11/29');
  mkdirSync(day);
  const broken = join(day, 'rollout-2026-11-29T10-00-00-01a2225c-0000-7000-8000-000000000000.jsonl.zst');
  writeFileSync(broken, 'no zstd');
  await show(['codex']);
  await expect.poll(of('codex'), patience).toMatchObject({ state: 'up-to-date', sessions_read: 7, traces: 9 });
  expect((await of('codex')()).left_out).toEqual([expect.stringMatching(/01a2225c-0000.*could not be read \(.+\)\.$/)]);
});

it('refuses agents that it does not know, and nobody', async () => {
  for (const agents of [['aider'], []])
    await expect(show(agents as HistoryAgent[])).rejects.toMatchObject({ status: 400, code: 'invalid_request_body' });
  expect((await list()).some(({ is_shown }) => is_shown)).toBe(false);
});

it('is not forwarded, whether the destination was there before, or is given what is stored; but a trace that is forwarded by hand is, and what the agent exports', async () => {
  const cloud = await startTestCloud();
  try {
    const { app_id, api_key: key } = cloud.tenant;
    const waiting = async (name: string) => (await gateway.client.forwarding.list()).data.find((found) => found.name === name);
    await gateway.client.forwarding.create({ body: { name: 'before', url: cloud.url, app_id, key } });
    await show(['gemini']);
    await expect.poll(of('gemini'), patience).toMatchObject({ state: 'up-to-date', traces: 8 });
    await gateway.ingest(aRequest([aChat()]));
    await gateway.client.forwarding.create({ body: { name: 'after', url: cloud.url, app_id, key, with_all: true } });
    for (const name of ['before', 'after'])
      await expect.poll(() => waiting(name), patience).toMatchObject({ state: { is: 'up_to_date' }, waiting: { spans: 0 }, sent: 1 });
    expect((await cloud.tenant.client.traces.list({ query: { limit: 1 } })).pagination.total).toBe(1);

    const { data } = await gateway.client.traces.list({ query: { limit: 20, sort_order: 'asc' } });
    const history = must(data[0], 'a trace');
    await gateway.client.forwarding.traces({ params: { name: 'after' }, body: { trace_ids: [history.id] } });
    const sent = history.span_count ?? 0;
    await expect.poll(() => waiting('after'), patience).toMatchObject({ waiting: { spans: 0 }, sent: 1 + sent });

    // What the agent exports of a session that was read is forwarded as it came, so that it is whole without the files.
    const { sessions, history: read, logs, traces } = await exportedSession('claude-code', 1);
    const bodies = [
      ...[...read, ...traces].map((body) => ['/v1/traces', body] as const),
      ...logs.map((body) => ['/v1/logs', body] as const),
    ];
    for (const [path, body] of bodies) {
      const headers = { 'Content-Type': 'application/json' };
      expect((await gateway.fetch(path, { method: 'POST', headers, body })).status).toBe(200);
    }
    await expect.poll(() => waiting('before'), patience).toMatchObject({ waiting: { spans: 0, logs: 0 } });
    const sessionOf = async ({ client }: { client: typeof gateway.client }) =>
      (await client.sessions.list({ query: {} })).data.find(({ id }) => id === sessions[0]);
    const here = must(await sessionOf(gateway), 'the session');
    expect(await sessionOf(cloud.tenant)).toMatchObject({
      trace_count: here.trace_count,
      total_cost: expect.closeTo(here.total_cost, 9),
      total_tokens: here.total_tokens,
    });
    // The cloud has answers from log records only. Of the last two prompts, which the API refused, only the file has one.
    const answersOf = async ({ client }: { client: typeof gateway.client }) =>
      (await client.traceList.rows({ query: { session_id: here.id, sort_order: 'asc' } })).data.rows
        .map((row) => row.output_preview)
        .slice(0, 4);
    expect(await answersOf(cloud.tenant)).toEqual(await answersOf(gateway));
  } finally {
    await cloud.stop();
  }
});

it('remembers whose history is shown in a file of the data folder', async () => {
  await show(['gemini', 'codex']);
  await show(['codex'], false);
  expect(JSON.parse(readFileSync(join(gateway.dataDir, 'agent-history.json'), 'utf8'))).toEqual({ version: 1, shown: ['gemini'] });
});
