/** What model calls cost, against a plain recount of recorded session files, and budgets. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyAgents } from '../../../shared/contract/viewer/agent-history.ts';
import { aChat, aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { HistoryFolders } from '../../fixtures/imported-history.ts';
import { callsOf, sumOf } from '../../fixtures/spending-recount.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const folders = new HistoryFolders();
let gateway: TestGateway;
const { client, unseen } = contractClient(() => gateway);

const start = async (home: string) => {
  gateway = await startTestGateway({ homeDir: home, environment: {} });
};
afterAll(() => folders.remove());

const spending = async (query: { from?: string; to?: string; time_zone?: string }) => (await client.spending.get({ query })).data;

/** Codex worked in another project. */
function moveCodex(home: string): void {
  const sessions = join(home, '.codex/sessions');
  for (const name of readdirSync(sessions, { recursive: true, encoding: 'utf8' })) {
    const path = join(sessions, name);
    if (!statSync(path).isFile()) continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/home/ada/ferries', '/home/ada/harbour'));
  }
}

it('equals a plain recount of the session files: the total, projects, days of the time zone, models, agents', async () => {
  const home = folders.home();
  moveCodex(home);
  await start(home);
  await client.agentHistories.show({ body: { agents: [...historyAgents], is_shown: true } });
  const states = async () => (await client.agentHistories.list()).data.map(({ state }) => state);
  await expect.poll(states, { timeout: 60_000 }).toEqual(historyAgents.map(() => 'up-to-date'));

  const calls = callsOf(home);
  const prices = await client.pricing.list({});
  const counted = (isCounted: (call: (typeof calls)[number]) => boolean) => {
    const { cost, cache_savings, ...counts } = sumOf(calls.filter(isCounted), prices);
    return { ...counts, cost: expect.closeTo(cost, 9), cache_savings: expect.closeTo(cache_savings, 9), unpriced_calls: 0 };
  };
  // Gemini's sessions lie on both sides of midnight there.
  const dayOf = ({ at }: { at: string }) => new Date(Date.parse(at) + 10 * 3_600_000).toISOString().slice(0, 10);
  const found = await spending({ from: '2026-11-20T00:00:00Z', to: '2026-12-10T00:00:00Z', time_zone: 'Australia/Brisbane' });
  const byName = <T extends object>(rows: T[]) =>
    rows.toSorted((a, b) => (String(Object.values(a)[0]) < String(Object.values(b)[0]) ? -1 : 1));

  expect(found.total).toEqual(counted(() => true));
  expect(found.total.cost).toBeGreaterThan(0.01);
  expect(byName(found.projects)).toEqual(
    ['/home/ada/ferries', '/home/ada/harbour'].map((folder) => ({ folder, ...counted((call) => call.folder === folder) })),
  );
  expect(found.days).toEqual(['2026-11-28', '2026-11-29', '2026-11-30'].map((day) => ({ day, ...counted((call) => dayOf(call) === day) })));
  const models = [...new Set(calls.map(({ model }) => model))].sort();
  expect(byName(found.models)).toEqual(models.map((model) => ({ model, ...counted((call) => call.model === model) })));
  expect(byName(found.agents)).toEqual(
    ['claude-code', 'codex', 'gemini-cli', 'pi'].map((agent) => ({ agent, ...counted((call) => call.agent === agent) })),
  );

  expect(found.prompts).toHaveLength(10);
  const costs = found.prompts.map(({ cost }) => cost);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  const codexPrompts = Map.groupBy(
    calls.filter(({ agent }) => agent === 'codex'),
    ({ prompt }) => prompt,
  );
  const dearest = Math.max(...[...codexPrompts.values()].map((own) => sumOf(own, prices).cost));
  expect(found.prompts.find(({ agent }) => agent === 'codex')?.cost).toBeCloseTo(dearest, 9);
  const [first] = found.prompts;
  const { data: opened } = await client.traces.get({ params: { traceId: first?.trace_id ?? '' }, query: {} });
  expect(opened.cost).toBeCloseTo(first?.cost ?? 0, 9);
  await gateway.stop();
});

describe('calls of programs', () => {
  const hourMs = 3_600_000;
  const chat = (atMs: number, cost: number | null, traceId: string, model = 'gpt-4o') =>
    aChat({
      ...{ startMs: atMs, durationMs: 10, traceId },
      attributes: {
        'gen_ai.request.model': model,
        ...(cost === null ? {} : { 'gen_ai.usage.cost': cost }),
        ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 },
      },
    });
  const traceIdOf = (number: number) => number.toString(16).padStart(32, 'a');
  const work = (traceId: string, atMs: number, folder: string) =>
    aSpan({ traceId, startMs: atMs - 1, name: 'work', attributes: { 'metadata.folder': folder } });
  const judge = async (query: object) => (await client.spending.budgets({ query })).data;

  beforeAll(() => start(folders.empty()));
  afterAll(() => gateway.stop());

  it('are summed with and budgeted by sensible questions only', async () => {
    const refused = { status: 400, code: 'invalid_query_params' };
    await expect(spending({ time_zone: 'Europe/Atlantis' })).rejects.toMatchObject(refused);
    await expect(spending({ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' })).rejects.toMatchObject(refused);
    await expect(spending({ from: '2020-01-01T00:00:00Z' })).rejects.toMatchObject(refused);
    for (const query of [{ period: 'day' }, { max: '3' }, { period: 'day', max: '-1' }, { period: 'day', max: 'x' }])
      await expect(judge(query)).rejects.toMatchObject(refused);
    const budget = { period: 'day', max: 1, folder: null } as const;
    const twice = client.spending.setBudgets({ body: { budgets: [budget, { ...budget, max: 2 }] } });
    await expect(twice).rejects.toMatchObject({ status: 400, code: 'invalid_request_body' });
    expect(await judge({})).toEqual([]);
  });

  it('have no price where the model has none, and no folder where none is recorded', async () => {
    const now = Date.now();
    await gateway.ingest(aRequest([chat(now, null, traceIdOf(1), 'model-of-nobody'), chat(now, 2, traceIdOf(2))], { service: 'helper' }));
    const found = await spending({});
    expect(found.total).toMatchObject({ cost: 2, calls: 2, unpriced_calls: 1 });
    expect(found.projects).toMatchObject([{ folder: null, calls: 2, unpriced_calls: 1 }]);
    expect(found.agents).toMatchObject([{ agent: 'helper', cost: 2 }]);
    expect(found.prompts).toMatchObject([{ trace_id: traceIdOf(2), cost: 2 }]);
    expect(found.windows).toMatchObject([{ agent: 'helper', five_hours: { cost: 2 }, highest: { cost: 2 }, week: { cost: 2, calls: 2 } }]);
    expect(await spending({ to: new Date(now - hourMs).toISOString() })).toMatchObject({ total: { calls: 0 }, projects: [], days: [] });
  });

  it('count for budgets of their period and folder, which are kept', async () => {
    const now = Date.now();
    const [new1, old] = [now - 1000, now - 50 * hourMs];
    await gateway.ingest(
      aRequest([
        ...[work(traceIdOf(3), new1, '/home/ada/ferries/docs'), chat(new1, 3, traceIdOf(3))],
        ...[work(traceIdOf(4), old, '/home/ada/ferries'), chat(old, 9, traceIdOf(4))],
        ...[work(traceIdOf(5), new1, '/home/ada/ferriesque'), chat(new1, 1, traceIdOf(5))],
      ]),
    );
    const week = { period: 'week', max: 11, folder: '/home/ada/ferries' } as const;
    const window = { period: '5h', max: 7, folder: null } as const;
    const day = { period: 'day', max: 20, folder: null } as const;
    const expected = [
      { ...week, spent: 12, calls: 2, to: null, state: 'over' },
      { ...window, spent: 6, calls: 4, unpriced_calls: 1, state: 'near' },
      { ...day, state: 'within' },
    ];
    expect((await client.spending.setBudgets({ body: { budgets: [week, window, day] } })).data).toMatchObject(expected);
    await gateway.restart();
    expect(await judge({})).toMatchObject(expected);
    expect(await judge({ period: 'week', max: '12', folder: '/home/ada/ferries/' })).toMatchObject([{ spent: 12, state: 'near' }]);
    expect(await judge({ period: 'week', max: '15.5' })).toMatchObject([{ spent: 15, folder: null }]);
  });

  it('are kept in a file, of which a damaged one has no budgets and is copied', async () => {
    const file = join(gateway.dataDir, 'budgets.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, budgets: [{ period: 'week' }, {}, {}] });
    writeFileSync(file, '{"version":1,"budgets":[{"period":"da');
    await gateway.restart();
    expect(await judge({})).toEqual([]);
    expect(readdirSync(gateway.dataDir).filter((name) => name.startsWith('budgets.json.unread-'))).toHaveLength(1);
  });

  it('are refused where they cannot be kept', async () => {
    const file = join(gateway.dataDir, 'budgets.json');
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    await expect(client.spending.setBudgets({ body: { budgets: [] } })).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});

it('sees every declared answer', () => expect(unseen('spending')).toEqual([]));
