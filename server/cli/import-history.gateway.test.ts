/** `glasshouse import claude-code` with recorded session files: what the gateway answers equals a plain recount of the files. */
import { appendFileSync, chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli-process.ts';
import { HistoryFolders, storedSpans, storedTraces, userText } from '../fixtures/imported-history.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import {
  editingSession,
  exportedLogs,
  exportedSession,
  failedSession,
  longSession,
  parallelSession,
  projectsFolder,
  sessionText,
} from '../history/claude-code/fixtures/recorded.ts';
import { recount } from '../history/claude-code/fixtures/recount.ts';

let gateway: TestGateway;
const folders = new HistoryFolders();

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());
afterAll(() => folders.remove());

const emptyFolder = () => folders.empty();

/** @param files part of their names */
const recordedProject = (files = '') =>
  folders.copyOf(join(projectsFolder, '-home-ada-ferries'), (path) => !path.endsWith('.jsonl') || path.includes(files));

const stored = () => storedTraces(gateway);
const allSpans = () => storedSpans(gateway);

const importFrom = (folder: string, ...options: string[]) =>
  cli(['import', 'claude-code', '--port', String(gateway.port), '--dir', folder, ...options]);

async function sendLogs(): Promise<void> {
  for (const body of exportedLogs()) {
    const response = await gateway.fetch('/v1/logs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(response.status).toBe(200);
  }
}

describe('an import', () => {
  it('has the prompts, replies, tools, tokens and costs that are in the files', async () => {
    const folder = recordedProject();
    expect((await importFrom(folder)).code).toBe(0);
    const expected = recount(folder);
    const spans = await allSpans();
    const of = (kind: string) => spans.filter((span) => span.kind === kind);

    const prompts = of('agent').filter(({ name }) => name === 'claude-code');
    expect(prompts.map(({ input }) => userText(input)).sort()).toEqual(Object.values(expected.prompts).sort());
    const replies = of('llm').map(({ output }) => output);
    for (const reply of Object.values(expected.replies))
      expect(replies.filter((output) => output.includes(reply)).length).toBeGreaterThan(0);

    const tools = of('tool').map(({ toolCalls, status, output }) => ({ call: JSON.parse(toolCalls ?? '[]')[0], status, output }));
    expect(tools.map(({ call }) => call.toolCallId).sort()).toEqual(Object.keys(expected.tools).sort());
    for (const { call, status, output } of tools) {
      const { name, input, result, failed } = expected.tools[call.toolCallId] ?? {};
      expect([call.toolName, call.args, status === 'ERROR', output]).toEqual([name, input, failed, result]);
    }

    const { 'claude-opus-5-5': price } = await gateway.client.pricing.list({});
    const counts = Object.values(expected.usage).map(({ model, input, output, cacheRead, cacheWrite }) => ({
      usage: { model, input_tokens: input, output_tokens: output, cache_read_tokens: cacheRead, cache_write_tokens: cacheWrite },
      cost:
        ((input - cacheRead - cacheWrite) * (price?.promptPrice ?? 0) +
          output * (price?.completionPrice ?? 0) +
          cacheRead * (price?.cacheReadPrice ?? 0) +
          cacheWrite * (price?.cacheWritePrice ?? 0)) /
        1000,
    }));
    const byOutput = (a: { usage: Record<string, unknown> }, b: { usage: Record<string, unknown> }) =>
      Number(a.usage['output_tokens']) - Number(b.usage['output_tokens']);
    const answered = of('llm').filter(({ status }) => status !== 'ERROR');
    const calls = answered.map(({ usage, cost }) => ({ usage, cost: expect.closeTo(cost, 9) }));
    expect(counts.sort(byOutput)).toEqual(calls.sort(byOutput));
    const failures = of('llm').filter(({ status }) => status === 'ERROR');
    expect(failures.map(({ message }) => message)).toEqual(Object.values(expected.failures));
    expect(spans.filter(({ name }) => name === 'compaction')).toHaveLength(expected.compactions);
  });

  it('has the sub-agent below the tool that started it, and each session as one', async () => {
    const { code, stdout } = await importFrom(projectsFolder);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^5 sessions, 13 traces and \d+ spans imported or already stored, from 9 files/),
    ]);
    const { data } = await gateway.client.sessions.list({ query: {} });
    expect(data.map(({ id, trace_count }) => [id, trace_count]).sort()).toEqual(
      [
        [parallelSession, 1],
        [editingSession, 2],
        [failedSession, 2],
        [longSession, 6],
        [exportedSession, 2],
      ].sort(),
    );
    const spans = await allSpans();
    const byId = new Map(spans.map((span) => [span.id, span]));
    const agents = spans.filter(({ name }) => name === 'general-purpose');
    expect(agents.map(({ parent }) => byId.get(parent ?? '')?.name)).toEqual(['Agent', 'Agent', 'Agent', 'Agent']);
    for (const agent of agents)
      expect(
        spans
          .filter(({ parent }) => parent === agent.id)
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(['llm', 'llm', 'tool']);
  });

  it('changes nothing the second time', async () => {
    const folder = recordedProject();
    await importFrom(folder);
    const before = await stored();
    const { code, stdout } = await importFrom(folder);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('refused')]);
    expect(await stored()).toEqual(before);
  });

  it('adds what is new while a session goes on, and ends as if it were imported once', async () => {
    const folder = emptyFolder();
    const file = join(folder, `${longSession}.jsonl`);
    const lines = sessionText(longSession).split('\n');
    writeFileSync(file, '');
    for (let from = 0; from < lines.length; from += 9) {
      // The newest line is half written.
      const half = (lines[from + 9] ?? '').slice(0, 40);
      writeFileSync(file, [...lines.slice(0, from + 9), half].join('\n'));
      expect(await importFrom(folder)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('refused') });
    }
    writeFileSync(file, lines.join('\n'));
    utimesSync(file, new Date(2026, 0, 1), new Date(2026, 0, 1));
    await importFrom(folder);
    const grown = await stored();
    await gateway.stop();
    gateway = await startTestGateway();
    await importFrom(folder);
    expect(grown).toEqual(await stored());
  });
});

it('has the sub-agents of version 2.0, whose files are beside the session, in the trace of the prompt', async () => {
  const folder = emptyFolder();
  const line = (uuid: string, parentUuid: string | null, second: number, more: object) =>
    `${JSON.stringify({ uuid, parentUuid, sessionId: 's', version: '2.0.61', timestamp: `2026-01-01T10:00:0${second}.000Z`, ...more })}\n`;
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  const model = (requestId: string, block: object) => ({
    type: 'assistant',
    requestId,
    message: { model: 'claude-sonnet-4-5', content: [block] },
  });
  const result = { ...user([{ type: 'tool_result', tool_use_id: 't1', content: 'Three.' }]), toolUseResult: { agentId: 'a0b1c2d3' } };
  const session = [
    line('u1', null, 0, user('Count the ferries')),
    line('u2', 'u1', 1, model('r1', { type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'Read the timetable' } })),
    line('u3', 'u2', 4, result),
    line('u4', 'u3', 5, model('r3', { type: 'text', text: 'There are three.' })),
  ];
  const side = { isSidechain: true, agentId: 'a0b1c2d3' };
  const agent = [
    line('v1', null, 2, { ...side, ...user('Read the timetable') }),
    line('v2', 'v1', 3, { ...side, ...model('r2', { type: 'text', text: 'Three.' }) }),
  ];
  writeFileSync(join(folder, 's.jsonl'), session.join(''));
  writeFileSync(join(folder, 'agent-a0b1c2d3.jsonl'), agent.join(''));
  expect(await importFrom(folder)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 session, 1 trace and 6 spans/) });
  const spans = await allSpans();
  const parentOf = (name: string) => spans.find(({ id }) => id === spans.find((span) => span.name === name)?.parent)?.name;
  expect([parentOf('sub-agent'), parentOf('Task')]).toEqual(['Task', 'claude-code']);
});

describe('a session that also arrives by OTLP', () => {
  it('is the same traces, whichever comes first and however often', async () => {
    const folder = recordedProject();
    rmSync(join(folder, `${longSession}.jsonl`));
    const orders = [
      ['file', 'logs'],
      ['logs', 'file'],
      ['logs', 'file', 'logs', 'file'],
      ['file', 'file', 'logs', 'logs'],
    ] as const;
    const seen = [];
    for (const order of orders) {
      for (const source of order) {
        if (source === 'logs') await sendLogs();
        else expect(await importFrom(folder)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('refused') });
      }
      seen.push(await stored());
      await gateway.stop();
      gateway = await startTestGateway();
    }
    const [first = [], ...others] = seen;
    expect(first).toHaveLength(7);
    for (const other of others) expect(other).toEqual(first);
  });

  it('costs what the agent reported, once', async () => {
    await sendLogs();
    await importFrom(recordedProject());
    const { data } = await gateway.client.sessions.list({ query: {} });
    for (const session of [exportedSession, editingSession, failedSession, parallelSession]) {
      const reported = [...sessionText(session).matchAll(/"totalCostUSD":([\d.e-]+)/g)].map(([, cost]) => Number(cost));
      expect(data.find(({ id }) => id === session)?.total_cost, session).toBeCloseTo(reported.at(-1) ?? 0, 9);
    }
    const calls = (await allSpans()).filter(({ kind }) => kind === 'llm');
    expect(calls.filter(({ output, toolCalls, status }) => (output === '' && toolCalls === null) !== (status === 'ERROR'))).toEqual([]);
  });
});

describe('what is not read', () => {
  it('is said: damaged lines, older files, files without permission', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'project'));
    const at = (name: string) => join(folder, 'project', `${name}.jsonl`);
    writeFileSync(at('damaged'), sessionText(exportedSession).replaceAll('"timestamp"', '"time"').slice(0, 5000));
    writeFileSync(at('old'), sessionText(longSession));
    utimesSync(at('old'), new Date(2020, 0, 1), new Date(2020, 0, 1));
    writeFileSync(at('settings.local'), '{"apiKey":"secret"}\n');
    const { code, stdout } = await importFrom(folder, '--since', '30d');
    expect(code).toBe(0);
    expect(stdout).toMatch(/skipped: 1 file older than --since/);
    expect(stdout).toMatch(/skipped: \d+ lines incomplete or damaged/);
    expect(await stored()).toEqual([]);
  });

  it('is a failure if it is a whole file', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root may read every file');
    const folder = emptyFolder();
    writeFileSync(join(folder, 'a.jsonl'), '');
    chmodSync(join(folder, 'a.jsonl'), 0);
    expect(await importFrom(folder)).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read (EACCES)') });
  });

  it('is an error if there are no sessions, or the options are wrong', async () => {
    expect(await importFrom(join(emptyFolder(), 'none'))).toMatchObject({ code: 1, stderr: expect.stringContaining('--dir') });
    expect(await importFrom(emptyFolder(), '--since', 'yesterday')).toMatchObject({ code: 2 });
    expect(await cli(['import', 'a.json', '--since', '1d'])).toMatchObject({ code: 2 });
  });
});

it('reads a line of any length past without holding it, and what is after it', async () => {
  const folder = emptyFolder();
  const file = join(folder, `${exportedSession}.jsonl`);
  writeFileSync(file, '{"type":"user","message":"');
  for (let part = 0; part < 20; part++) appendFileSync(file, 'x'.repeat(1024 * 1024));
  appendFileSync(file, `"}\n${sessionText(exportedSession)}`);
  const { code, stdout } = await importFrom(folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('skipped: 1 line longer than 16 MiB')]);
  expect((await stored()).length).toBe(2);
});
