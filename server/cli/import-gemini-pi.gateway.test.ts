/** `glasshouse import gemini` and `pi` with recorded session files: what the gateway answers equals a plain recount of the files. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli-process.ts';
import { HistoryFolders, storedTraces, userText } from '../fixtures/imported-history.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { delegatingSession, longSession, sessionsFolder, shortSession } from '../history/gemini/fixtures/recorded.ts';
import { recount } from '../history/gemini/fixtures/recount.ts';
import { longSession as longOfPi, sessionsFolder as sessionsOfPi } from '../history/pi/fixtures/recorded.ts';
import { recount as recountOfPi } from '../history/pi/fixtures/recount.ts';

let gateway: TestGateway;
const folders = new HistoryFolders();

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());
afterAll(() => folders.remove());

const importOf = (agent: string, folder: string) => cli(['import', agent, '--port', String(gateway.port), '--dir', folder]);
const importFrom = (folder: string) => importOf('gemini', folder);

describe('an import of Gemini CLI', () => {
  it('has the prompts, replies, tools, tokens and costs that are in the files, also the second time', async () => {
    const expected = recount(sessionsFolder);
    const folder = folders.copyOf(sessionsFolder);
    const { code, stdout } = await importFrom(folder);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^5 sessions, 8 traces and \d+ spans imported or already stored, from 6 files/),
    ]);
    const traces = await storedTraces(gateway);
    const spans = traces.flatMap(({ spans }) => spans);
    const of = (kind: string) => spans.filter((span) => span.kind === kind);

    const roots = of('agent').filter(({ parent }) => parent === null);
    expect(roots.map(({ input }) => userText(input)).sort()).toEqual(expected.prompts.sort());
    const agents = of('agent').filter(({ parent }) => parent !== null);
    expect(agents.map(({ input }) => userText(input))).toEqual(expected.tasks);
    for (const reply of expected.replies) expect(of('llm').some(({ output }) => output.includes(reply))).toBe(true);

    const tools = of('tool').map(({ toolCalls, status, output }) => ({ call: JSON.parse(toolCalls ?? '[]')[0], status, output }));
    expect(tools.map(({ call }) => call.toolCallId).sort()).toEqual(Object.keys(expected.tools).sort());
    for (const { call, status, output } of tools) {
      const { name, args, result, failed } = expected.tools[call.toolCallId] ?? {};
      expect([call.toolName, call.args, status === 'ERROR', output]).toEqual([name, args, failed, result]);
    }

    const prices = await gateway.client.pricing.list({});
    const counts = Object.values(expected.usage).map(({ model, input, output, cached, thoughts }) => {
      const { promptPrice = 0, completionPrice = 0, cacheReadPrice = 0 } = prices[model] ?? {};
      expect(promptPrice).toBeGreaterThan(0);
      return {
        usage: {
          ...{ model, input_tokens: input, output_tokens: output + thoughts },
          ...{ cache_read_tokens: cached, cache_write_tokens: 0, reasoning_tokens: thoughts },
        },
        cost: expect.closeTo(((input - cached) * promptPrice + (output + thoughts) * completionPrice + cached * cacheReadPrice) / 1000, 9),
      };
    });
    const byOutput = (a: { usage: Record<string, unknown> }, b: { usage: Record<string, unknown> }) =>
      Number(a.usage['output_tokens']) - Number(b.usage['output_tokens']) ||
      Number(a.usage['input_tokens']) - Number(b.usage['input_tokens']);
    expect(
      of('llm')
        .map(({ usage, cost }) => ({ usage, cost }))
        .sort(byOutput),
    ).toEqual(counts.sort(byOutput));
    const total = Object.values(expected.usage).reduce((sum, usage) => sum + usage.total, 0);
    expect(traces.reduce((sum, { trace }) => sum + trace.tokens, 0)).toBe(total);

    expect(spans.filter(({ name }) => name === 'compaction').map(({ output }) => output)).toEqual(expected.summaries);
    for (const { metadata } of roots) expect(metadata).toEqual({ folder: '/home/ada/ferries' });
    const { data } = await gateway.client.sessions.list({ query: {} });
    expect(data.map(({ id }) => id).sort()).toEqual(expected.sessions.sort());

    const second = await importFrom(folder);
    expect([second.code, second.stdout]).toEqual([0, expect.not.stringContaining('refused')]);
    expect(await storedTraces(gateway)).toEqual(traces);
  });

  it('adds what is new while a session goes on, and ends as if it were imported once', async () => {
    const folder = folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || path.endsWith(longSession));
    const file = join(folder, longSession);
    const lines = readFileSync(file, 'utf8').split('\n');
    for (let from = 0; from < lines.length; from += 7) {
      // The newest line is half written.
      const half = (lines[from + 7] ?? '').slice(0, 40);
      writeFileSync(file, [...lines.slice(0, from + 7), half].join('\n'));
      expect(await importFrom(folder)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('refused') });
    }
    const over = folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || path.endsWith(longSession));
    await importFrom(over);
    const grown = await storedTraces(gateway);
    await gateway.stop();
    gateway = await startTestGateway();
    await importFrom(over);
    expect(grown).toEqual(await storedTraces(gateway));
  });

  it('waits for the call that a sub-agent was, while its session goes on', async () => {
    const folder = folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || /e0c27d86/.test(path));
    const file = join(folder, delegatingSession);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.slice(0, 5).join('\n'));
    expect((await importFrom(folder)).stdout).toContain('from 1 file in');
    writeFileSync(file, lines.join('\n'));
    expect((await importFrom(folder)).stdout).toMatch(/^1 session, 1 trace .* from 2 files in/);
    const [traced, ...others] = await storedTraces(gateway);
    const byId = new Map(traced?.spans.map((span) => [span.id, span]));
    const agent = traced?.spans.find(({ name }) => name === 'codebase_investigator');
    expect([byId.get(agent?.parent ?? '')?.name, others]).toEqual(['invoke_agent', []]);
  });

  it('opens session files only, and of those that were copied from an earlier version the copy', async () => {
    const folder = folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || path.endsWith(shortSession));
    const text = readFileSync(join(folder, shortSession), 'utf8');
    for (const name of ['oauth_creds.json', 'settings.json', 'ferries/logs.json', 'ferries/chats/notes.jsonl'])
      writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, shortSession.slice(0, -1)), text);
    expect((await importFrom(folder)).stdout).toContain('from 1 file in');
    rmSync(join(folder, shortSession));
    const document = {
      sessionId: 's',
      messages: text
        .split('\n')
        .slice(2, 3)
        .map((line) => JSON.parse(line)),
    };
    writeFileSync(join(folder, shortSession.slice(0, -1)), JSON.stringify(document, null, 2));
    expect((await importFrom(folder)).stdout).toMatch(/^1 session, 1 trace and 1 span .* from 1 file in/);
  });
});

it('an import of pi has what is in the files, once, also of a session that goes on and of its fork, and opens session files only', async () => {
  const folder = folders.copyOf(sessionsOfPi);
  const file = join(folder, longOfPi);
  const text = readFileSync(file, 'utf8');
  for (const name of ['auth.json', 'settings.json', 'notes.jsonl']) writeFileSync(join(folder, name), text);
  writeFileSync(file, text.slice(0, text.length / 2));
  expect((await importOf('pi', folder)).code).toBe(0);
  writeFileSync(file, text);
  const { code, stdout } = await importOf('pi', folder);
  const summary = /^5 sessions, 12 traces and \d+ spans imported or already stored, from 5 files/;
  expect([code, stdout]).toEqual([0, expect.stringMatching(summary)]);
  const expected = recountOfPi(sessionsOfPi);
  const traces = await storedTraces(gateway);
  const spans = traces.flatMap(({ spans }) => spans);
  const of = (kind: string) => spans.filter((span) => span.kind === kind);

  // One of them has an image.
  const prompts = of('agent').map(({ input }): unknown => userText(input));
  const asked = prompts.map((prompt) => (Array.isArray(prompt) ? prompt[0].text : prompt));
  expect(asked.sort()).toEqual(expected.prompts.sort());
  const outputs = of('llm').map(({ output }) => output);
  expect(expected.replies.filter((text) => !outputs.some((output) => output.includes(text)))).toEqual([]);
  const failed = of('llm').filter(({ status }) => status === 'ERROR');
  expect(failed.map(({ message }) => message).sort()).toEqual(expected.errors.sort());

  const tools = of('tool').map(({ toolCalls, status, output }) => ({
    call: JSON.parse(toolCalls ?? '[]')[0],
    failed: status === 'ERROR',
    output,
  }));
  const toolsById = Object.fromEntries(
    tools.map(({ call, failed, output }) => [call.toolCallId, { name: call.toolName, args: call.args, result: output, failed }]),
  );
  expect([toolsById, tools.length]).toEqual([expected.tools, Object.keys(expected.tools).length]);

  const counted = of('llm').filter(({ usage }) => usage['input_tokens'] !== undefined);
  const keys = ['model', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens'];
  const given = counted.map(({ usage, cost }) => [...keys.map((key) => usage[key] ?? ''), cost].join(' '));
  const inFiles = expected.usage.map(({ model, input, output, cacheRead, cacheWrite, reasoning = '', cost }) =>
    [model, input + cacheRead + cacheWrite, output, cacheRead, cacheWrite, reasoning, cost].join(' '),
  );
  expect(given.sort()).toEqual(inFiles.sort());
  const total = expected.usage.reduce((sum, { cost }) => sum + cost, 0);
  expect(traces.reduce((sum, { trace }) => sum + trace.cost, 0)).toBeCloseTo(total, 9);

  expect(spans.flatMap(({ name, output }) => (name === 'compaction' ? output : [])).sort()).toEqual(expected.summaries.sort());
  for (const { metadata } of of('agent')) expect(metadata).toEqual({ folder: '/home/ada/ferries' });
  const { data } = await gateway.client.sessions.list({ query: {} });
  expect(data.map(({ id }) => id).sort()).toEqual(expected.sessions.sort());

  expect((await importOf('pi', folder)).stdout).toMatch(summary);
  expect(await storedTraces(gateway)).toEqual(traces);
});
