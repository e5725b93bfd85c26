/** Reports from a shell, and over stdin and stdout for clients that start a program. */
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { cli, cliCommand } from '../fixtures/cli-process.ts';
import { startTestCloud } from '../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

let gateway: TestGateway;
let to: string[];
const [good, bad] = [aTraceId(), aTraceId()];

const run = (traceId: string, failed: boolean) => {
  const root = aSpanId();
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'web_search',
    'gen_ai.tool.call.result': failed ? 'none' : 'many',
  };
  return [
    aSpan({
      traceId,
      spanId: root,
      name: 'plan \u001b[2J a trip',
      attributes: { 'session.id': 'trip', 'gen_ai.operation.name': 'invoke_agent' },
    }),
    aSpan({
      traceId,
      parentSpanId: root,
      name: 'search',
      attributes,
      ...(failed ? { status: 'ERROR' as const, statusMessage: 'no answer' } : {}),
    }),
  ];
};

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest([...run(good, false), ...run(bad, true)]));
  to = ['--port', String(gateway.port)];
});
afterAll(() => gateway.stop());

const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await cli([...args, ...to]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('\u001b');
  return stdout;
};

it('each prints what it is asked for', async () => {
  expect(await printed('traces')).toContain('2 traces.');
  expect(await printed('search', 'tool:web_search', 'errors', '>', '0')).toContain(bad);
  expect(await printed('last')).toMatch(/2 of 2 spans shown/);
  expect(await printed('show', bad, '--errors-only')).toMatch(/no answer/);
  const span =
    (await gateway.client.spans.ofTrace({ params: { traceId: good } })).data.find(({ span_kind }) => span_kind === 'tool')?.id ?? '';
  expect(await printed('show', good, span)).toContain('many');
  expect(await printed('session', 'trip')).toContain('Turn 2');
  expect(await printed('errors', '--since', 'all')).toContain('1 failed span in 1 trace');
  expect(await printed('compare', good, bad)).toContain('The runs diverge at step');
  expect(await printed('cost', '--by', 'tool', '--since', 'all')).toContain('2 tool calls');
});

it('--json is what the API has, and --max bounds the text', async () => {
  const listed = JSON.parse(await printed('traces', '--json', '--limit', '1')) as { rows: { id: string }[]; total: number };
  expect([listed.rows.length, listed.total]).toEqual([1, 2]);
  expect((await printed('traces', '--max', '1000')).length).toBeLessThanOrEqual(1001);
});

it('wrong usage, unknown traces and invalid filters are sentences', async () => {
  for (const args of [['show'], ['compare', good], ['traces', '--limit', 'many'], ['cost', '--by', 'moon'], ['traces', '--max', '1']])
    expect(await cli([...args, ...to])).toMatchObject({ code: 2, stdout: '' });
  for (const args of [
    ['show', 'nowhere'],
    ['traces', 'cost >'],
    ['errors', '--since', 'yesterday'],
  ])
    expect(await cli([...args, ...to])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^glasshouse: .+\n$/) });
});

it('glasshouse mcp offers the same to a client that starts it', async () => {
  const [command = '', ...args] = cliCommand(['mcp', ...to]);
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('last_run');
  expect(tools.map(({ name }) => name)).not.toContain('annotate');
  const { content } = await client.callTool({ name: 'show_trace', arguments: { trace_id: bad } });
  expect(JSON.stringify(content)).toContain('no answer');
  await client.close();
});

it('with a key, glasshouse mcp passes messages to a gateway for teams, and says what it refuses', async () => {
  const cloud = await startTestCloud();
  try {
    await cloud.ingest(cloud.tenant, aRequest(run(good, false)));
    const connected = async (key: string) => {
      const [command = '', ...args] = cliCommand(['mcp', '--writes', '--url', cloud.url]);
      const client = new Client({ name: 'a test', version: '1' });
      await client.connect(
        new StdioClientTransport({ command, args, stderr: 'pipe', env: { ...getDefaultEnvironment(), GLASSHOUSE_API_KEY: key } }),
      );
      return client;
    };
    const client = await connected(cloud.tenant.api_key);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('annotate');
    const { content } = await client.callTool({ name: 'find_traces', arguments: {} });
    expect(JSON.stringify(content)).toContain(good);
    await client.close();
    await expect(connected('sk_service_of_nobody')).rejects.toThrow(/valid/);
  } finally {
    await cloud.stop();
  }
});

it('skill prints what /llms.txt of the gateway says, as a skill', async () => {
  const skill = await printed('skill');
  const guide = await (await gateway.fetch('/llms.txt')).text();
  expect(skill).toMatch(/^---\nname: glasshouse\ndescription: .+\n---\n/);
  expect(skill.replace(/127\.0\.0\.1/g, 'localhost')).toContain(guide.replace(/127\.0\.0\.1/g, 'localhost'));
});

it('prints spending, and a budget fails when more was spent', async () => {
  const attributes = { 'gen_ai.usage.cost': 2, 'metadata.folder': '/home/ada/\u001b[2Jferries' };
  await gateway.ingest(aRequest([aChat({ startMs: Date.now(), attributes })]));
  const [projects, prompts, failed, usage] = await Promise.all([
    printed('spending'),
    printed('spending', '--by', 'prompt'),
    cli(['budget', '--max', '1/5h', ...to]),
    cli(['budget', '--max', '20', ...to]),
  ]);
  expect(projects).toMatch(/\$2\.00 · 1 model call.*\n.*ferries +\$2\.00.*\n.*test-service: \$2\.00 in the five hours/s);
  expect(prompts).toMatch(/#\/traces\/\w+ +\$2\.00 +100\.0 % {2}1 call/);
  expect([failed.code, failed.stdout]).toEqual([1, '$2.00 spent in this five-hour window, more than the budget of $1.00.\n']);
  expect(usage.code).toBe(2);
  const kept = await printed('budget', '--max', '30/week', '--project', '/home/ada', '--keep');
  expect(kept).toBe('$2.00 spent in the last seven days in /home/ada, of a budget of $30.00.\n');
  expect(await printed('budget')).toBe(kept);
});
