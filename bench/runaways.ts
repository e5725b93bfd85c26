/**
 * `npm run bench:runaways -- --dir ../shared/corpus`: false alarms of the rules for runaway runs. Every recorded run, and generated traffic, is shown to
 * them span by span in the order of the ends, as if it ran now, its root last. Uses the decoder and the rules without a gateway, because recorded
 * runs are long over, which a gateway would notice. Prints each alarm, and how near the thresholds the others came.
 */
import { parseArgs } from 'node:util';
import { createPricing } from '../server/ingest/cost/pricing.ts';
import { decodeJson } from '../server/ingest/otlp/decode-json.ts';
import { decodeProtobuf } from '../server/ingest/otlp/decode-protobuf.ts';
import type { DecodedSpan } from '../server/ingest/otlp/decoded.ts';
import { inflate } from '../server/ingest/otlp/inflate.ts';
import { BatchBuilder } from '../server/ingest/prepare/prepare.ts';
import type { PreparedSpan } from '../server/ingest/prepare/prepared.ts';
import { OpenRuns } from '../server/telemetry/runaway/open-runs.ts';
import type { Thresholds } from '../server/telemetry/runaway/run-watch.ts';
import { endOf } from '../server/telemetry/runaway/step.ts';
import { type RunawayRule, runawayRules, runawayThresholds } from '../shared/contract/tracing/runaway-rules.ts';
import { readCaptures } from './corpus/captures.ts';
import { AgentStream } from './traffic/agent-stream.ts';
import { encode } from './traffic/formats.ts';
import { agentService } from './traffic/span.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    /** Generated spans. */
    spans: { type: 'string', default: '200000' },
    /** Part of the default thresholds that is used: with less there are alarms, which shows how much room there is. */
    part: { type: 'string', default: '1' },
  },
});

const pricing = createPricing();
const app = { tenant_id: 'bench', app_id: 'bench' };
const thresholds = Object.fromEntries(runawayRules.map((rule) => [rule, runawayThresholds[rule].default * Number(values.part)])) as Record<
  RunawayRule,
  number
> satisfies Thresholds;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Source {
  name: string;
  spans: PreparedSpan[];
}

function prepared(decoded: DecodedSpan[]): PreparedSpan[] {
  const builder = new BatchBuilder(pricing, Date.now());
  for (const span of decoded) builder.add(span);
  return builder.finish().spans;
}

function* recorded(): Generator<Source> {
  for (const { name, requests } of readCaptures(values.dir)) {
    const traces = requests.filter(({ signal }) => signal === 'otlp-traces');
    const spans = traces.flatMap(({ headers, body }) => {
      const isJson = Object.entries(headers).some(([key, value]) => key.toLowerCase() === 'content-type' && value.includes('json'));
      const bytes = Buffer.from(body[0] === 0x1f && body[1] === 0x8b ? inflate(body) : body);
      return prepared((isJson ? decodeJson(bytes) : decodeProtobuf(bytes)).spans);
    });
    yield { name, spans };
  }
}

function* generated(): Generator<Source> {
  const stream = new AgentStream('runaways', Date.now());
  for (let count = 0; count < Number(values.spans); ) {
    const spans = stream.next();
    count += spans.length;
    yield { name: 'generated', spans: prepared(decodeJson(encode(spans, agentService, 'json')).spans) };
  }
}

const runs = new OpenRuns({ thresholds: () => thresholds, window: (model) => pricing.contextWindow(model, '') });
const rows = new Map<string, number>();
function rowOf(key: string): number {
  const row = rows.get(key) ?? rows.size + 1;
  rows.set(key, row);
  return row;
}

let [steps, alarms] = [0, 0];

const costs = new Map<number, number>();

function watch({ name, spans }: Source): void {
  for (const span of spans.sort((a, b) => endOf(a) - endOf(b))) {
    const trace = rowOf(`${name} ${span.trace_id}`);
    const cost = (costs.get(trace) ?? 0) + (span.usage_aggregate ? 0 : (span.cost ?? 0));
    costs.set(trace, cost);
    steps++;
    const isOver = span.parent_id === null && !span.pending;
    const state = runs.add({ scope: 1, trace, app, traceId: span.trace_id, steps: [span], cost, isOver, received_ms: endOf(span) });
    if (!state || state.isOver) continue;
    alarms++;
    print(`${name}: ${span.trace_id} ${state.signs.map(({ rule, subject, value }) => `${rule} ${subject} ${value}`).join(', ')}`);
  }
}

for (const source of recorded()) watch(source);
print(`${rows.size} recorded runs, ${steps} spans, ${alarms} alarms`);
const [recordedRuns, recordedSteps, recordedAlarms] = [rows.size, steps, alarms];
for (const source of generated()) watch(source);
print(`${rows.size - recordedRuns} generated runs, ${steps - recordedSteps} spans, ${alarms - recordedAlarms} alarms`);
process.exitCode = alarms === 0 ? 0 : 1;
