/**
 * `npm run bench:compare`: how long two runs take to compare in a large store. The second run is the first with another trace id and one other
 * tool result, half way.
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
import { type Attribute, agentService, nanoseconds, type Span } from './traffic/span.ts';

const { values } = parseArgs({
  options: {
    /** Spans of other traces in the store. */
    spans: { type: 'string', default: '100000' },
    reads: { type: 'string', default: '20' },
  },
});
const [spans, reads] = [Number(values.spans), Number(values.reads)];
const sizes = [1_000, 10_000];
const headers = headersOf('json');

const traceIdOf = (name: string, size: number): string => `${name}${String(size).padStart(31, '0')}`;

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** An agent that asks a model and calls a tool, in turns. @param changed number of the step with another result; null for none */
function runOf(traceId: string, size: number, changed: number | null): Span[] {
  const [prose, random] = [new Prose(), new Random(`compare ${size}`)];
  const startMs = Date.now() - 3_600_000;
  const spanIdOf = (nth: number) => (0xc0de_0000 + nth).toString(16).padStart(16, '0');
  const span = (nth: number, name: string, attributes: Attribute[]): Span => ({
    ...{ trace_id: traceId, span_id: spanIdOf(nth), parent_id: nth === 0 ? '' : spanIdOf(0), name, kind: 1, attributes },
    ...{ start_ns: nanoseconds(startMs + nth * 100), end_ns: nanoseconds(startMs + (nth === 0 ? size : nth + 0.9) * 100) },
    ...{ events: [], status_code: 0, status_message: '' },
  });
  const chat = (nth: number): Span =>
    span(nth, 'chat claude-sonnet-4-5', [
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.response.model', 'claude-sonnet-4-5'],
      ['gen_ai.usage.input_tokens', 400],
      ['gen_ai.usage.output_tokens', 100],
      ['gen_ai.input.messages', message('user', prose.text(random, 1500))],
      ['gen_ai.output.messages', message('assistant', prose.text(random, 400))],
    ]);
  const tool = (nth: number): Span => {
    const result = prose.text(random, 600);
    return span(nth, 'execute_tool read_file', [
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', 'read_file'],
      ['gen_ai.tool.call.arguments', JSON.stringify({ path: `src/file-${nth}.ts` })],
      ['gen_ai.tool.call.result', nth === changed ? `${result} It has changed since.` : result],
    ]);
  };
  const steps = Array.from({ length: size - 1 }, (_, at) => (at % 2 === 0 ? chat(at + 1) : tool(at + 1)));
  return [span(0, 'invoke_agent coder', [['gen_ai.operation.name', 'invoke_agent']]), ...steps];
}

const folder = makeScratchFolder('compare');
const gateway = spawnGateway(folder);

async function measure(client: HttpClient, size: number): Promise<string> {
  const [a, b] = [traceIdOf('a', size), traceIdOf('b', size)];
  const ms: number[] = [];
  const before = processUsage(gateway.pid).cpu;
  for (let nth = 0; nth < reads; nth++) {
    const answer = await client.get(`/v1/viewer/compare?a=${a}&b=${b}`);
    if (answer.status !== 200) throw new Error(`The read was answered ${answer.status}: ${answer.body}`);
    ms.push(answer.ms);
  }
  const cpuMs = ((processUsage(gateway.pid).cpu - before) * 1000) / reads;
  return `first ${ms[0]?.toFixed(0)} ms, p50 ${quantile(ms, 0.5).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms`;
}

try {
  const client = new HttpClient(await gateway.ready, 4);
  await fillStore(client, { seed: 'compare', spans });
  for (const size of sizes)
    for (const [name, changed] of [
      ['a', null],
      ['b', size / 2],
    ] as const) {
      const run = runOf(traceIdOf(name, size), size, changed);
      for (let from = 0; from < run.length; from += 100)
        await client.send('POST', '/v1/traces', headers, encode(run.slice(from, from + 100), agentService, 'json'));
    }
  await untilIdle(gateway.pid, spans);
  process.stdout.write(`store${' '.repeat(19)}${spans} spans\n`);
  for (const size of sizes) process.stdout.write(`${`two runs of ${size} spans`.padEnd(24)}${await measure(client, size)}\n`);
  client.close();
} finally {
  await gateway.stop();
  removeFolder(folder);
}
