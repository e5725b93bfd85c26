/** An experiment of a team, for the screens. */
import { idleWorker } from '../../server/fixtures/a-worker.ts';
import type { TestCloud } from '../../server/fixtures/test-cloud.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';

/** What the customers of the team ask. */
export const questions = ['What is the refund window?', 'Who signs contracts?', 'Where is the status page?', 'How are keys rotated?'];
const heartbeatMs = 20_000;

/** An experiment over the questions, of which the last is still being answered by a connected worker. */
export async function runExperiment({ url, tenant, ingest }: TestCloud): Promise<string> {
  const { owner, client } = tenant;
  for (const question of questions)
    await owner.datasets.append({
      params: { datasetName: 'handbook' },
      body: { input: { question }, expected_output: 'See the handbook.' },
    });
  const worker = await idleWorker(url, tenant.api_key, { evals: ['exact', 'helpfulness', 'tone'], adapter: 'glasshouse-worker' });
  const { data } = await owner.experimentRuns.start({ body: { dataset: 'handbook', name: 'shorter answers', evals: ['exact'] } });
  const jobId = data.experiment_id;
  const lines: object[] = [{ type: 'start', rows: questions.length }];
  for (const [at, question] of questions.slice(0, -1).entries()) {
    const traceId = aTraceId();
    await ingest(tenant, aRequest(answerSpans(jobId, traceId, question, at)));
    const score = {
      resource_id: traceId,
      name: 'exact',
      score: at % 2,
      label: at % 2 === 1 ? 'PASS' : 'FAIL',
      source: 'experiment',
    } as const;
    await client.scores.create({ body: score });
    lines.push({ type: 'dataset', result: {} });
  }
  worker.say({ type: 'job-stream-chunk', jobId, chunk: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
  worker.say({ type: 'heartbeat' });
  await worker.next('heartbeat-ack');
  // Keeps the worker connected while screenshots are taken.
  setInterval(() => worker.say({ type: 'heartbeat' }), heartbeatMs).unref();
  return jobId;
}

function answerSpans(run: string, traceId: string, question: string, at: number): object[] {
  const spanId = aSpanId();
  const startMs = Date.now() - 5_000 + at * 1_000;
  const attributes = {
    'agentmark.dataset_run_id': run,
    'agentmark.dataset_run_name': 'shorter answers',
    'agentmark.dataset_path': 'handbook.jsonl',
    'agentmark.dataset_item_name': String(at),
    'agentmark.dataset_input': JSON.stringify({ question }),
    'agentmark.dataset_expected_output': 'See the handbook.',
  };
  return [
    aSpan({ traceId, spanId, name: `experiment-shorter answers-${at}`, startMs, durationMs: 900, attributes }),
    aChat({ traceId, parentSpanId: spanId, startMs: startMs + 5, durationMs: 800, ask: question, reply: 'See the handbook.' }),
  ];
}
