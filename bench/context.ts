/**
 * `npm run bench:context`: how long the context windows of a long run take to read in a large store, beside parsing the same prompts with nothing
 * else (`JSON.parse`), which is the least that any reader of them needs.
 */
import { parseArgs } from 'node:util';
import { fillStore } from './gateway/fill-store.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { processUsage } from './measure/machine.ts';
import { quantile } from './measure/quantiles.ts';
import { untilIdle } from './measure/until-idle.ts';
import { encode, headersOf } from './traffic/formats.ts';
import { Prose } from './traffic/prose.ts';
import { Random } from './traffic/random.ts';
import { agentService, nanoseconds, type Span } from './traffic/span.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '200' },
    /** Length of each prompt in characters. */
    prompt: { type: 'string', default: '60000' },
    reads: { type: 'string', default: '40' },
  },
});
const [spans, calls, promptLength, reads] = [values.spans, values.calls, values.prompt, values.reads].map(Number) as [
  number,
  number,
  number,
  number,
];
/** A reader keeps the texts of the trace that it read last, so two are read in turn. */
const traceIds = ['c0'.repeat(16), 'c1'.repeat(16)];
const headers = headersOf('json');

/** Prompts of an agent whose oldest turns are dropped once the prompt is long enough, as in a long session. */
function prompts(): string[] {
  const [prose, random] = [new Prose(), new Random('context')];
  const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
  const head = [message('system', prose.text(random, promptLength / 6)), message('user', prose.text(random, 500))];
  const turns: { role: string; parts: object[] }[] = [];
  return Array.from({ length: calls }, (_, at) => {
    const id = `call_${at}`;
    turns.push({ role: 'assistant', parts: [{ type: 'tool_call', id, name: 'read_file', arguments: { path: `src/file-${at}.ts` } }] });
    turns.push({ role: 'tool', parts: [{ type: 'tool_call_response', id, response: prose.text(random, promptLength / 20) }] });
    while (JSON.stringify([...head, ...turns]).length > promptLength) turns.splice(0, 2);
    return JSON.stringify([...head, ...turns]);
  });
}

function runOf(traceId: string, messages: readonly string[]): Span[] {
  const startMs = Date.now() - 3_600_000;
  const span = (nth: number, name: string, fromMs: number, toMs: number): Span => ({
    ...{ trace_id: traceId, span_id: (0xc0de_0000 + nth).toString(16).padStart(16, '0'), name, kind: 1 },
    ...{ parent_id: nth === 0 ? '' : (0xc0de_0000).toString(16).padStart(16, '0') },
    ...{ start_ns: nanoseconds(startMs + fromMs), end_ns: nanoseconds(startMs + toMs) },
    ...{ attributes: [], events: [], status_code: 0, status_message: '' },
  });
  const agent: Span = { ...span(0, 'invoke_agent coder', 0, calls * 1000), attributes: [['gen_ai.operation.name', 'invoke_agent']] };
  const call = (text: string, at: number): Span => ({
    ...span(at + 1, 'chat claude-sonnet-4-5', at * 1000, at * 1000 + 900),
    attributes: [
      ...([
        ['gen_ai.operation.name', 'chat'],
        ['gen_ai.response.model', 'claude-sonnet-4-5'],
      ] as const),
      ...([
        ['gen_ai.usage.input_tokens', 15_000],
        ['gen_ai.usage.cache_read.input_tokens', 3000],
      ] as const),
      ...([
        ['gen_ai.usage.output_tokens', 50],
        ['gen_ai.input.messages', text],
      ] as const),
    ],
  });
  return [agent, ...messages.map(call)];
}

interface Measure {
  ms: number[];
  /** Of the gateway, for one read: other programs on the machine do not count. */
  cpuMs: number;
  bytes: number;
}

async function measure(client: HttpClient, pid: number, ids: readonly string[]): Promise<Measure> {
  const ms: number[] = [];
  let bytes = 0;
  const before = processUsage(pid).cpu;
  for (let nth = 0; nth < reads; nth++) {
    const answer = await client.get(`/v1/viewer/traces/${ids[nth % ids.length]}/context`);
    if (answer.status !== 200) throw new Error(`The read was answered ${answer.status}`);
    ms.push(answer.ms);
    bytes = answer.body.length;
  }
  return { ms, cpuMs: ((processUsage(pid).cpu - before) * 1000) / reads, bytes };
}

/** CPU time, in milliseconds. */
function parsing(messages: readonly string[]): number {
  const before = process.cpuUsage().user;
  for (let nth = 0; nth < reads; nth++) for (const text of messages) JSON.parse(text);
  return (process.cpuUsage().user - before) / 1000 / reads;
}

const folder = makeScratchFolder('context');
const gateway = spawnGateway(folder);
try {
  const client = new HttpClient(await gateway.ready, 4);
  await fillStore(client, { seed: 'context', spans });
  const messages = prompts();
  for (const id of traceIds) {
    const run = runOf(id, messages);
    for (let from = 0; from < run.length; from += 20)
      await client.send('POST', '/v1/traces', headers, encode(run.slice(from, from + 20), agentService, 'json'));
  }
  await untilIdle(gateway.pid, spans);
  const [opened, followed] = [await measure(client, gateway.pid, traceIds), await measure(client, gateway.pid, traceIds.slice(0, 1))];
  const floor = parsing(messages);
  const line = ({ ms, cpuMs }: Measure) =>
    `p50 ${quantile(ms, 0.5).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms: ${(cpuMs / floor).toFixed(1)} times JSON.parse`;
  const rows: [string, string][] = [
    ['store', `${spans} spans`],
    ['run', `${calls} calls, prompts of ${Math.round(messages.reduce((sum, { length }) => sum + length, 0) / calls)} characters`],
    ['answer', `${(opened.bytes / 1e6).toFixed(2)} MB`],
    ['first', `${opened.ms[0]?.toFixed(0)} ms`],
    ['another trace each time', line(opened)],
    ['the same trace again', line(followed)],
    ['JSON.parse of the prompts', `CPU ${floor.toFixed(0)} ms`],
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(28)}${value}\n`);
  client.close();
} finally {
  await gateway.stop();
  removeFolder(folder);
}
