/** A store with known traces: written once, killed while a part is only in the write-ahead log, and copied for each attempt to damage it. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { Prose } from '../traffic/prose.ts';
import { Random } from '../traffic/random.ts';

export interface KnownTrace {
  id: string;
  name: string;
  /** The input of each span by span id. */
  inputs: Map<string, string>;
}

export interface KnownStore {
  folder: string;
  traces: KnownTrace[];
}

export const json = { 'content-type': 'application/json' };
/** This share of the traces is in the database file, the others are in its log. */
const checkpointedShare = 0.6;

export async function makeKnownStore(folder: string, count: number): Promise<KnownStore> {
  mkdirSync(folder, { recursive: true });
  const random = new Random('known store');
  const prose = new Prose();
  const traces = Array.from({ length: count }, (_, at) => generateTrace(random, prose, at));
  const checkpointed = Math.floor(count * checkpointedShare);
  const first = spawnGateway(folder);
  await send(await first.ready, traces.slice(0, checkpointed));
  await first.stop();
  const second = spawnGateway(folder);
  await send(await second.ready, traces.slice(checkpointed));
  await second.kill();
  return { folder, traces: traces.map(({ trace }) => trace) };
}

export function copyStore(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of ['telemetry.db', 'telemetry.db-wal']) if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name));
}

interface GeneratedTrace {
  trace: KnownTrace;
  spans: object[];
  score: object;
}

function generateTrace(random: Random, prose: Prose, at: number): GeneratedTrace {
  const id = random.hex(32);
  const startMs = Date.now() - 3_600_000 + at * 10_000;
  const inputs = new Map<string, string>();
  const shared = {
    'session.id': `session ${at % 7}`,
    'user.id': `user ${at % 5}`,
    'agentmark.tags': JSON.stringify([`tag ${at % 4}`, 'all']),
    'agentmark.metadata.team': `team ${at % 3}`,
    ...(at % 6 === 0 ? { 'agentmark.dataset_run_id': `run ${at % 12}`, 'agentmark.dataset_input': '{"a":1}' } : {}),
  };
  const root = random.hex(16);
  const spans = Array.from({ length: 1 + (at % 6) }, (_, index) => {
    const spanId = index === 0 ? root : random.hex(16);
    const input = prose.text(random, random.between(100, at % 10 === 0 ? 30_000 : 3_000));
    inputs.set(spanId, input);
    return aSpan({
      traceId: id,
      spanId,
      ...(index === 0 ? {} : { parentSpanId: root }),
      name: index === 0 ? `run ${at}` : `chat ${index}`,
      startMs: startMs + index * 10,
      durationMs: 500 - index * 10,
      status: at % 9 === 0 ? 'ERROR' : 'OK',
      attributes: {
        ...shared,
        'agentmark.span.kind': index === 0 ? 'agent' : 'llm',
        'gen_ai.request.model': `model ${at % 3}`,
        'gen_ai.usage.input_tokens': 100 + at,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.request.input': input,
        'gen_ai.response.output': prose.text(random, 200),
      },
    });
  });
  const score = { resource_id: id, name: `quality ${at % 2}`, score: at / 100, label: '', reason: 'because', source: 'api' };
  return { trace: { id, name: `run ${at}`, inputs }, spans, score };
}

async function send(url: string, generated: GeneratedTrace[]): Promise<void> {
  const client = new HttpClient(url);
  const post = async (path: string, body: object) => {
    const { status, body: response } = await client.send('POST', path, json, Buffer.from(JSON.stringify(body)));
    if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${response.toString().slice(0, 300)}`);
  };
  for (const { spans, score } of generated) {
    await post('/v1/traces', aRequest(spans));
    await post('/v1/scores', score);
  }
  client.close();
}
