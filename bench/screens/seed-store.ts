/** Fills a gateway with the data of a month: recorded and generated traces, the demo, scores, prompts, datasets and experiment runs. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { demoData } from '../../server/cli/demo/demo-data.ts';
import { ARun } from '../../server/fixtures/a-run.ts';
import { aContextRun, factChecker, leadAnalyst, priceScout } from '../../shared/fixtures/context-run.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { readCaptures } from '../corpus/captures.ts';
import { arrange, replay } from '../corpus/replay.ts';
import { fillStore } from '../gateway/fill-store.ts';
import type { HttpClient } from '../gateway/http-client.ts';

export interface SeededStore {
  /** A run of an agent in which a tool failed. */
  agentTrace: string;
  /** A run of three agents that fill their context windows. */
  crewTrace: string;
  /** The trace with the most spans. */
  largeTrace: string;
  /** A run that waits for a model while its screens are taken. */
  runningTrace: string;
  session: string;
  /** Two runs of one dataset row with different prompts, the earlier one first. */
  runs: [string, string];
}

const spans = 6_000;
const json = { 'content-type': 'application/json' };

const prompt = `---
name: support-triage
text_config:
  model_name: gpt-4o-mini
  temperature: 0.2
---

<System>
You are a careful assistant of {props.team}. Answer from the documents only.
</System>
<User>{props.question}</User>
`;

const questions = ['What is the refund window?', 'Who signs contracts?', 'Where is the status page?', 'How are keys rotated?'];

/** The project folder of a gateway that `spawnGateway` starts is its data folder. */
export function writeProject(folder: string): void {
  const files: Record<string, string> = {
    'agentmark.json': JSON.stringify({
      version: '2.0',
      scores: { helpful: { type: 'boolean' }, grounded: { type: 'numeric', min: 0, max: 1 } },
    }),
    'agentmark/support-triage.prompt.mdx': prompt,
    'agentmark/summary.prompt.mdx': prompt.replaceAll('support-triage', 'summary'),
    'agentmark/questions.jsonl': questions
      .map((question) => `${JSON.stringify({ input: { question }, expected_output: 'See the handbook.' })}\n`)
      .join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** @param corpusDir folder of recorded exports; may be missing */
export async function seedStore(client: HttpClient, corpusDir: string): Promise<SeededStore> {
  if (existsSync(corpusDir)) await replay(client, arrange(readCaptures(corpusDir), 'in order', ''), 'in order');
  await fillStore(client, { seed: 'screens', spans });
  for (const run of ['gpt-4o-mini', 'gpt-4o'])
    await send(client, '/v1/traces', aRequest(questions.flatMap((question, item) => rowSpans(run, question, item))));
  const crew = aContextRun([leadAnalyst, priceScout, factChecker], Date.now() - 2_400_000);
  await send(client, '/v1/traces', crew.request);
  const demo = demoData(Date.now());
  for (const request of demo.requests) await send(client, '/v1/traces', request);
  await send(client, '/v1/scores/batch', { scores: demo.scores });
  await sendRunaways(client);
  const refused = [Buffer.from('{"resourceSpans":'), Buffer.from('not json')];
  for (const body of refused) await client.send('POST', '/v1/traces', json, body);
  const list = async (query: string) =>
    (await client.json<{ data: { id: string; span_count: number }[] }>(`/v1/traces?limit=100&${query}`)).data;
  const failed = await list('status=ERROR');
  for (const [at, { id }] of failed.slice(0, 40).entries())
    await send(client, '/v1/scores', {
      resource_id: id,
      name: at % 2 ? 'helpful' : 'grounded',
      score: at % 2 ? at % 3 && 1 : (at % 10) / 10,
    });
  const research = await list(`name=${encodeURIComponent('Sodium-ion against LFP')}`);
  const runs = await list(`name=${encodeURIComponent('Refund: grinder after 46 days')}&sort_order=asc`);
  const sessions = await client.json<{ data: { id: string }[] }>('/v1/sessions?search=kettle&limit=1');
  const largest = await list('sort_by=tokens&sort_order=desc');
  return {
    agentTrace: research[0]?.id ?? '',
    crewTrace: crew.traceId,
    largeTrace: largest.toSorted((a, b) => b.span_count - a.span_count)[0]?.id ?? '',
    runningTrace: await sendRunning(client),
    session: encodeURIComponent(sessions.data[0]?.id ?? ''),
    runs: [runs[0]?.id ?? '', runs[1]?.id ?? ''],
  };
}

const send = (client: HttpClient, path: string, body: object) => client.send('POST', path, json, Buffer.from(JSON.stringify(body)));

/** Runaway runs that have ended: the banner of a running one would be on every screen. */
async function sendRunaways(client: HttpClient): Promise<void> {
  const repeated = new ARun(Date.now() - 120_000);
  const steps = Array.from({ length: 24 }, () => [
    repeated.chat(1200, { cost: 0.013 }),
    repeated.tool('convert_currency', { from: 'EUR', to: 'USD', amount: 120 }, '129.60'),
  ]).flat();
  const failing = new ARun(Date.now() - 90_000);
  const failures = Array.from({ length: 12 }, (_, at) =>
    failing.tool('reserve_table', { seats: 4, attempt: at }, null, { status: 'ERROR', statusMessage: '503 Service Unavailable' }),
  );
  for (const [service, run, spans] of [
    ['sourcing-agent', repeated, steps],
    ['booking-agent', failing, failures],
  ] as const) {
    await send(client, '/v1/traces', aRequest(spans, { service }));
    await send(client, '/v1/traces', aRequest([run.end()], { service }));
  }
  const thresholds = [
    { service: 'sourcing-agent', rule: 'cost', threshold: 50 },
    { service: 'booking-agent', rule: 'silence', threshold: null },
  ];
  for (const threshold of thresholds)
    await client.send('PUT', '/v1/viewer/runaway-thresholds', json, Buffer.from(JSON.stringify(threshold)));
}

/** @returns the id of a trace whose root and last model call are pending */
async function sendRunning(client: HttpClient): Promise<string> {
  const [traceId, spanId, startMs] = [aTraceId(), aSpanId(), Date.now() - 20_000];
  const root = aSpan({ traceId, spanId, name: 'Plan the harbour tour', startMs, attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
  const ask = 'Which ferries run on Sunday?';
  const first = aChat({ traceId, parentSpanId: spanId, startMs: startMs + 500, ask, reply: 'The lines 62 and 73. I look up their times.' });
  const message = [{ role: 'user', parts: [{ type: 'text', content: `${ask} With the times, please.` }] }];
  const second = aSpan({
    ...{ traceId, parentSpanId: spanId, name: 'chat gpt-4o', startMs: startMs + 9_000 },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': JSON.stringify(message),
    },
  });
  const pending = [root, second].map((span) => ({ ...span, endTimeUnixNano: '0' }));
  await send(client, '/v1/traces', aRequest([first, ...pending], { service: 'harbour-guide' }));
  return traceId;
}

/** The spans of one dataset row in an experiment run. */
function rowSpans(model: string, question: string, item: number): object[] {
  const traceId = aTraceId();
  const spanId = aSpanId();
  const startMs = Date.now() - 14 * 3_600_000 + item * 1000;
  const attributes = {
    'agentmark.dataset_run_id': `run-${model}`,
    'agentmark.dataset_run_name': `handbook with ${model}`,
    'agentmark.experiment_key': 'handbook',
    'agentmark.dataset_path': 'questions.jsonl',
    'agentmark.dataset_item_name': String(item),
    'agentmark.dataset_input': JSON.stringify({ question }),
    'agentmark.dataset_expected_output': 'See the handbook.',
  };
  return [
    aSpan({ traceId, spanId, name: 'handbook item', startMs, durationMs: 900, attributes }),
    aChat({
      traceId,
      parentSpanId: spanId,
      startMs: startMs + 5,
      model,
      ask: question,
      reply: model === 'gpt-4o' ? 'See the handbook.' : 'I do not know.',
    }),
  ];
}
