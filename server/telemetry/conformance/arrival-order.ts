/** The same spans give the same store, whatever the order, batches and repetitions in which they arrive. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type AttributeInput, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { RawLog } from '../../ingest/otlp/raw-span.ts';
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import type { WriteOutcome } from '../../ingest/sink.ts';
import type { TelemetryStore } from '../store.ts';
import { arrivalMs, batchOf } from './batch-of.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const money = fc.integer({ min: 1, max: 5_000_000 }).map((micro) => micro / 1e6);
const tokens = fc.nat(100_000);

/** Random attributes of a span, with few values for each key, so that spans have both equal and different values. */
const attributes = fc
  .record({
    'session.id': maybe(fc.constantFrom('s1', 's2')),
    'agentmark.session_name': maybe(fc.constantFrom('Zeta', 'Alpha')),
    'user.id': maybe(fc.constantFrom('ann', 'bob')),
    'agentmark.trace_name': maybe(fc.constantFrom('nightly', 'daily')),
    'agentmark.prompt_name': maybe(fc.constantFrom('p', 'q')),
    'agentmark.tags': maybe(fc.subarray(['a', 'b', 'c'])),
    'agentmark.metadata.k': maybe(fc.constantFrom('1', '2')),
    'agentmark.metadata.graph.node.id': maybe(fc.constantFrom('n1', 'n2')),
    'gen_ai.operation.name': maybe(fc.constantFrom('chat', 'invoke_agent', 'execute_tool')),
    'gen_ai.request.model': maybe(fc.constantFrom('gpt-4o', 'o3')),
    'gen_ai.usage.input_tokens': maybe(tokens),
    'gen_ai.usage.output_tokens': maybe(tokens),
    'agentmark.usage.cost_usd': maybe(money),
    'input.value': maybe(fc.constantFrom('ask', 'x'.repeat(1_500))),
    'output.value': maybe(fc.constantFrom('reply', 'y'.repeat(1_500))),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, AttributeInput>);

const times = fc.record({ startMs: fc.nat(3).map((ms) => testEpochMs + ms), durationMs: fc.constantFrom(0, 1, 5, 40) });
const status = fc.constantFrom<'UNSET' | 'OK' | 'ERROR'>('UNSET', 'OK', 'ERROR');

/** A random span. Its parent is any span of its trace (itself included), a missing one, or none. */
const node = fc.record({
  trace: fc.constantFrom('t1', 't2', 't3'),
  parent: fc.oneof(fc.constant(undefined), fc.nat(9), fc.constant('gone')),
  name: fc.constantFrom('work', 'step', 'call'),
  placeholder: fc.constantFrom(false, false, false, true),
  times,
  status,
  attributes,
  /** A pending record with other values. */
  pending: maybe(fc.record({ attributes, name: fc.constantFrom('begins', 'work') })),
  /** Names of log records of the span. */
  logs: fc.subarray(['gen_ai.user.message', 'gen_ai.choice']),
});

type Node = typeof node extends fc.Arbitrary<infer N> ? N : never;

const ids = { t1: 0xa1, t2: 0xa2, t3: 0xa3 };

/** One record that arrives: of a span, or a log record. */
type ArrivingRecord = { span: object } | { log: RawLog };

function recordsOf(nodes: Node[]): ArrivingRecord[] {
  return nodes.flatMap(({ trace, parent, name, placeholder, times: when, status: state, attributes: values, pending, logs }, index) => {
    const idOf = (place: number) => (ids[trace] * 256 + place).toString(16).padStart(16, '5');
    const parentSpanId = parent === 'gone' ? 'f'.repeat(16) : parent === undefined ? undefined : idOf(parent % nodes.length);
    const base = {
      traceId: ids[trace].toString(16).padStart(32, '6'),
      spanId: idOf(index),
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      ...when,
    };
    if (placeholder) return [{ span: aSpan({ ...base, name, attributes: { ...values, 'logfire.span_type': 'pending_span' } }) }];
    const records: ArrivingRecord[] = [{ span: aSpan({ ...base, name, status: state, attributes: values }) }];
    if (pending) records.push({ span: { ...aSpan({ ...base, ...pending }), endTimeUnixNano: '0' } });
    for (const log of logs) records.push({ log: aLog(base.traceId, base.spanId, log) });
    return records;
  });
}

function aLog(trace_id: string, span_id: string, name: string): RawLog {
  const time_ns = String(BigInt(testEpochMs) * 1_000_000n + BigInt(name.length));
  const content: RawLog['body'] = { map: [['content', `said in ${name}`]] };
  const body: RawLog['body'] = name === 'gen_ai.choice' ? { map: [['message', content]] } : content;
  return { trace_id, span_id, name, time_ns, observed_ns: '0', severity_number: 0, severity_text: '', body, attributes: [], dropped: 0 };
}

const requestOf = (records: ArrivingRecord[]): PreparedBatch => {
  const spans = records.flatMap((record) => ('span' in record ? [record.span] : []));
  const logs = records.flatMap((record) => ('log' in record ? [record.log] : []));
  return batchOf(spans, arrivalMs, logs);
};

/** All records shuffled, some repeated, split into requests. */
const deliveryOf = (records: ArrivingRecord[]): fc.Arbitrary<ArrivingRecord[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.array(fc.tuple(fc.nat(records.length), fc.nat(records.length - 1)), { maxLength: 6 }),
      fc.array(fc.nat(records.length), { maxLength: 5 }),
    )
    .map(([shuffled, repeats, cuts]) => {
      const order = [...shuffled];
      for (const [at, index] of repeats) order.splice(at, 0, records[index] as ArrivingRecord);
      const edges = [0, ...cuts.map((cut) => Math.min(cut, order.length)).sort((a, b) => a - b), order.length];
      return edges.slice(1).map((end, index) => order.slice(edges[index], end));
    });

const deliveries = fc
  .array(node, { minLength: 1, maxLength: 10 })
  .map(recordsOf)
  .chain((records) => fc.tuple(fc.constant(records), deliveryOf(records), deliveryOf(records)));

/** Requests that wait may share a commit. */
const writeAtOnce = (app: Tenant, batches: PreparedBatch[]): Promise<WriteOutcome[]> =>
  Promise.all(batches.map((batch) => app.store.writer.write(app.scope, batch)));

async function writeInTurn(app: Tenant, batches: PreparedBatch[]): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  for (const batch of batches) outcomes.push(await app.store.writer.write(app.scope, batch));
  return outcomes;
}

export function arrivalOrderGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'the same spans give the same lists, details, graphs, payloads and sessions, whatever the order, batches, groups and repetitions',
    async ({ tenant, cases }) => {
      await fc.assert(
        fc.asyncProperty(deliveries, async ([records, one, two]) => {
          const [whole, single, grouped] = [tenant(), tenant(), tenant()];
          const outcomes = [
            await writeInTurn(whole, [requestOf(records)]),
            await writeInTurn(single, one.map(requestOf)),
            await writeAtOnce(grouped, two.map(requestOf)),
          ];
          expect(outcomes.flat().flatMap(({ conflicts }) => conflicts)).toEqual([]);
          const expected = await whole.everything();
          expect(await single.everything()).toEqual(expected);
          expect(await grouped.everything()).toEqual(expected);
        }),
        { numRuns: cases(100) },
      );
    },
    { timeoutMs: 300_000 },
  );
  guarantee(
    'a store that is closed and reopened between batches continues as if it had stayed open',
    async ({ location, cases }) => {
      const apps = Math.min(cases(40), 40);
      await fc.assert(
        fc.asyncProperty(fc.array(deliveries, { minLength: apps, maxLength: apps }), async (many) => {
          const shared = location();
          const halves = many.map(([records, one], index) => ({ whole: [records], one, cut: one.length >> 1, app_id: `app ${index}` }));
          const app = (store: TelemetryStore, app_id: string) => new Tenant(store, { tenant_id: 'tenant', app_id });
          await whileOpen(shared, async (store) => {
            for (const { one, cut, app_id } of halves) await writeAtOnce(app(store, app_id), one.slice(0, cut).map(requestOf));
          });
          await whileOpen(shared, async (store) => {
            for (const { whole, one, cut, app_id } of halves) {
              await writeAtOnce(app(store, app_id), one.slice(cut).map(requestOf));
              const uninterrupted = new Tenant(store);
              await writeAtOnce(uninterrupted, whole.map(requestOf));
              expect(await app(store, app_id).everything()).toEqual(await uninterrupted.everything());
            }
          });
        }),
        { numRuns: Math.ceil(cases(40) / 40), endOnFailure: true },
      );
    },
    { timeoutMs: 300_000 },
  );
}
