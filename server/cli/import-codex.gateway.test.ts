/** `glasshouse import codex` with recorded session files: what the gateway answers equals a plain recount of the files. */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli-process.ts';
import { HistoryFolders, storedSpans, storedTraces, userText } from '../fixtures/imported-history.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import {
  delegatingSession,
  fileOf,
  longSession,
  planningSession,
  sessionsFolder,
  sessionText,
} from '../history/codex/fixtures/recorded.ts';
import { recount } from '../history/codex/fixtures/recount.ts';

let gateway: TestGateway;
const folders = new HistoryFolders();

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());
afterAll(() => folders.remove());

const importFrom = (folder: string, ...options: string[]) =>
  cli(['import', 'codex', '--port', String(gateway.port), '--dir', folder, ...options]);

describe('an import of Codex', () => {
  it('has the prompts, replies, tools, tokens, costs and errors that are in the files', async () => {
    const expected = recount(sessionsFolder);
    const { code, stdout } = await importFrom(folders.copyOf(sessionsFolder));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^5 sessions, 9 traces and \d+ spans imported or already stored, from 6 files/),
    ]);
    const traces = await storedTraces(gateway);
    const spans = traces.flatMap(({ spans }) => spans);
    const of = (kind: string) => spans.filter((span) => span.kind === kind);

    const roots = of('agent').filter(({ parent }) => parent === null);
    expect(roots.map(({ input }) => userText(input)).sort()).toEqual(Object.values(expected.prompts).sort());
    const agents = of('agent').filter(({ parent }) => parent !== null);
    expect(agents.map(({ input }) => userText(input))).toEqual(Object.values(expected.tasks));
    expect(roots.filter(({ status }) => status === 'ERROR').map(({ message }) => message)).toEqual(Object.values(expected.failures));
    for (const reply of expected.replies) expect(of('llm').some(({ output }) => output.includes(reply))).toBe(true);

    const tools = of('tool').map(({ toolCalls, status, output }) => ({ call: JSON.parse(toolCalls ?? '[]')[0], status, output }));
    expect(tools.map(({ call }) => call.toolCallId).sort()).toEqual(Object.keys(expected.tools).sort());
    for (const { call, status, output } of tools) {
      const { name, arguments: given, result, failed } = expected.tools[call.toolCallId] ?? { arguments: '{}' };
      expect([call.toolName, call.args, status === 'ERROR', output]).toEqual([name, JSON.parse(given), failed, result]);
    }

    const { 'gpt-5.2-codex': price } = await gateway.client.pricing.list({});
    const counts = expected.usage.map(({ model, input, output, cacheRead, cacheWrite, reasoning }) => ({
      usage: {
        model,
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: cacheRead,
        cache_write_tokens: cacheWrite,
        reasoning_tokens: reasoning,
      },
      cost: expect.closeTo(
        ((input - cacheRead) * (price?.promptPrice ?? 0) +
          output * (price?.completionPrice ?? 0) +
          cacheRead * (price?.cacheReadPrice ?? 0)) /
          1000,
        9,
      ),
    }));
    const byInput = (a: { usage: Record<string, unknown> }, b: { usage: Record<string, unknown> }) =>
      Number(a.usage['input_tokens']) - Number(b.usage['input_tokens']) ||
      Number(a.usage['output_tokens']) - Number(b.usage['output_tokens']);
    expect(price?.promptPrice).toBeGreaterThan(0);
    expect(
      of('llm')
        .map(({ usage, cost }) => ({ usage, cost }))
        .sort(byInput),
    ).toEqual(counts.sort(byInput));
    expect(traces.reduce((total, { trace }) => total + trace.tokens, 0)).toBe(expected.total);

    expect(spans.filter(({ name }) => name === 'compaction').map(({ output }) => output)).toEqual(expected.summaries);
    for (const { metadata } of roots) expect(metadata).toEqual({ git_branch: expected.branches[0], folder: expected.folders[0] });
    const { data } = await gateway.client.sessions.list({ query: {} });
    expect(data.map(({ id }) => id).sort()).toEqual([...new Set(expected.sessions)].sort());
  });

  it('changes nothing the second time', async () => {
    const folder = folders.copyOf(sessionsFolder);
    await importFrom(folder);
    const before = await storedTraces(gateway);
    const { code, stdout } = await importFrom(folder);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('refused')]);
    expect(await storedTraces(gateway)).toEqual(before);
  });

  it('adds what is new while a session goes on, and ends as if it were imported once', async () => {
    const folder = folders.empty();
    const file = join(folder, fileOf(longSession));
    mkdirSync(dirname(file), { recursive: true });
    const lines = sessionText(longSession).split('\n');
    for (let from = 0; from < lines.length; from += 9) {
      // The newest line is half written.
      const half = (lines[from + 9] ?? '').slice(0, 40);
      writeFileSync(file, [...lines.slice(0, from + 9), half].join('\n'));
      expect(await importFrom(folder)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('refused') });
    }
    writeFileSync(file, lines.join('\n'));
    utimesSync(file, new Date(2026, 0, 1), new Date(2026, 0, 1));
    await importFrom(folder);
    const grown = await storedTraces(gateway);
    await gateway.stop();
    gateway = await startTestGateway();
    await importFrom(folder);
    expect(grown).toEqual(await storedTraces(gateway));
  });

  it('has the sub-agent below the tool that started it, in the session of the user', async () => {
    await importFrom(folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || /13-34-33/.test(path)));
    const [traced, ...others] = await storedTraces(gateway);
    expect(others).toEqual([]);
    expect((await gateway.client.sessions.list({ query: {} })).data.map(({ id }) => id)).toEqual([delegatingSession]);
    const byId = new Map(traced?.spans.map((span) => [span.id, span]));
    const agent = traced?.spans.find(({ name }) => name === 'Mill');
    expect(byId.get(agent?.parent ?? '')?.name).toBe('spawn_agent');
  });

  it('reads files that Codex has compressed, and of those that are there twice the other', async () => {
    const folder = folders.copyOf(sessionsFolder, (path) => !path.endsWith('.jsonl') || path.includes(planningSession));
    const file = join(folder, fileOf(planningSession));
    await importFrom(folder);
    const plain = await storedSpans(gateway);
    writeFileSync(`${file}.zst`, zstdCompressSync(readFileSync(file)));
    utimesSync(`${file}.zst`, new Date(2026, 0, 1), new Date(2026, 0, 1));
    expect((await importFrom(folder)).stdout).toContain('from 1 file in');
    rmSync(file);
    await gateway.stop();
    gateway = await startTestGateway();
    await importFrom(folder);
    expect(await storedSpans(gateway)).toEqual(plain);
    // What is whole before the damage is read.
    writeFileSync(`${file}.zst`, readFileSync(`${file}.zst`).subarray(0, 900));
    expect(await importFrom(folder)).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read') });
  });

  it('opens no other file of Codex', async () => {
    const folder = folders.empty();
    for (const name of ['auth.json', 'history.jsonl', 'session_index.jsonl', 'rollout-notes.jsonl', 'config.toml'])
      writeFileSync(join(folder, name), sessionText(planningSession));
    expect((await importFrom(folder)).stdout).toContain('from 0 files');
    expect(await storedTraces(gateway)).toEqual([]);
  });
});
