/** The same spans give the same store, in whatever order, batches and repetitions they arrive. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type AttributeInput, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import type { Intake, WriteOutcome } from '../../ingest/intake.ts';
import type { RawLog } from '../../ingest/otlp/raw-span.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import type { TelemetryStore } from '../store.ts';
import { arrivalMs, batchOf } from './batch-of.ts';
import { type Declare, whileOpen } from './promise.ts';
import { Tenant } from './tenant.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const money = fc.integer({ min: 1, max: 5_000_000 }).map((micro) => micro / 1e6);
const tokens = fc.nat(100_000);

/** What a span may say of itself. Few values for each key, so that spans agree and differ. */
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
  .map((some) => Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Record<string, AttributeInput>);

const times = fc.record({ startMs: fc.nat(3).map((ms) => testEpochMs + ms), durationMs: fc.constantFrom(0, 1, 5, 40) });
const status = fc.constantFrom<'UNSET' | 'OK' | 'ERROR'>('UNSET', 'OK', 'ERROR');

/** A span of the forest: any of its trace, itself included, or nobody may be its parent. */
const node = fc.record({
  trace: fc.constantFrom('t1', 't2', 't3'),
  parent: fc.oneof(fc.constant(undefined), fc.nat(9), fc.constant('gone')),
  name: fc.constantFrom('work', 'step', 'call'),
  placeholder: fc.constantFrom(false, false, false, true),
  times,
  status,
  attributes,
  /** A record that came while the span was still running, and said other things. */
  running: maybe(fc.record({ attributes, name: fc.constantFrom('begins', 'work') })),
  /** What was said in log records beside the span. */
  logs: fc.subarray(['gen_ai.user.message', 'gen_ai.choice']),
});

type Node = typeof node extends fc.Arbitrary<infer N> ? N : never;

const ids = { t1: 0xa1, t2: 0xa2, t3: 0xa3 };

/** One thing that arrives: a record of a span, or a log record. */
type Parcel = { span: object } | { log: RawLog };

function parcelsOf(nodes: Node[]): Parcel[] {
  return nodes.flatMap(({ trace, parent, name, placeholder, times: when, status: state, attributes: said, running, logs }, index) => {
    const idOf = (place: number) => (ids[trace] * 256 + place).toString(16).padStart(16, '5');
    const parentSpanId = parent === 'gone' ? 'f'.repeat(16) : parent === undefined ? undefined : idOf(parent % nodes.length);
    const base = {
      traceId: ids[trace].toString(16).padStart(32, '6'),
      spanId: idOf(index),
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      ...when,
    };
    if (placeholder) return [{ span: aSpan({ ...base, name, attributes: { ...said, 'logfire.span_type': 'pending_span' } }) }];
    const parcels: Parcel[] = [{ span: aSpan({ ...base, name, status: state, attributes: said }) }];
    if (running) parcels.push({ span: { ...aSpan({ ...base, ...running }), endTimeUnixNano: '0' } });
    for (const log of logs) parcels.push({ log: aLog(base.traceId, base.spanId, log) });
    return parcels;
  });
}

function aLog(trace_id: string, span_id: string, name: string): RawLog {
  const time_ns = String(BigInt(testEpochMs) * 1_000_000n + BigInt(name.length));
  const content: RawLog['body'] = { map: [['content', `said in ${name}`]] };
  const body: RawLog['body'] = name === 'gen_ai.choice' ? { map: [['message', content]] } : content;
  return { trace_id, span_id, name, time_ns, observed_ns: '0', severity_number: 0, severity_text: '', body, attributes: [], dropped: 0 };
}

const requestOf = (parcels: Parcel[]): PreparedBatch => {
  const spans = parcels.flatMap((parcel) => ('span' in parcel ? [parcel.span] : []));
  const logs = parcels.flatMap((parcel) => ('log' in parcel ? [parcel.log] : []));
  return batchOf(spans, arrivalMs, logs);
};

/** All parcels shuffled, some sent several times, cut into requests. */
const deliveryOf = (parcels: Parcel[]): fc.Arbitrary<Parcel[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray(parcels, { minLength: parcels.length }),
      fc.array(fc.tuple(fc.nat(parcels.length), fc.nat(parcels.length - 1)), { maxLength: 6 }),
      fc.array(fc.nat(parcels.length), { maxLength: 5 }),
    )
    .map(([shuffled, repeats, cuts]) => {
      const order = [...shuffled];
      for (const [at, which] of repeats) order.splice(at, 0, parcels[which] as Parcel);
      const edges = [0, ...cuts.map((cut) => Math.min(cut, order.length)).sort((a, b) => a - b), order.length];
      return edges.slice(1).map((end, index) => order.slice(edges[index], end));
    });

const delivered = fc
  .array(node, { minLength: 1, maxLength: 10 })
  .map(parcelsOf)
  .chain((parcels) => fc.tuple(fc.constant(parcels), deliveryOf(parcels), deliveryOf(parcels)));

/** Hands requests over the way that ingest does, so that those which wait share a commit. */
function byIntake(intake: Intake, firstId: number, app: Tenant, batches: PreparedBatch[]): Promise<WriteOutcome[]> {
  const outcomes = batches.map((_, index) => intake.written(firstId + index));
  for (const [index, batch] of batches.entries())
    intake.port.postMessage({ id: firstId + index, scope: app.scope, batch: pack(batch), allowance: null });
  return Promise.all(outcomes);
}

const oneByOne = (app: Tenant, batches: PreparedBatch[]): Promise<WriteOutcome[]> =>
  Promise.all(batches.map((batch) => app.store.writer.write(app.scope, batch)));

export function arrivalOrderPromises(promise: Declare): void {
  promise(
    'the same spans give the same lists, details, graphs, payloads and sessions, whatever the order, the batches, the groups and the repetitions',
    async ({ tenant }) => {
      const intake = tenant().store.openIntake();
      let ids = 1_000;
      await fc.assert(
        fc.asyncProperty(delivered, async ([parcels, one, two]) => {
          const [whole, single, grouped] = [tenant(), tenant(), tenant()];
          const firstId = ids;
          ids += two.length;
          const outcomes = [
            await oneByOne(whole, [requestOf(parcels)]),
            await oneByOne(single, one.map(requestOf)),
            await byIntake(intake, firstId, grouped, two.map(requestOf)),
          ];
          expect(outcomes.flat().flatMap(({ conflicts }) => conflicts)).toEqual([]);
          const expected = await whole.everything();
          expect(await single.everything()).toEqual(expected);
          expect(await grouped.everything()).toEqual(expected);
        }),
        { numRuns: propertyRuns(200) },
      );
      intake.port.close();
    },
    300_000,
  );
  promise(
    'a store that was closed in the middle of it all goes on as if it had not been',
    async ({ place }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(delivered, { minLength: 40, maxLength: 40 }), async (many) => {
          const here = place();
          const halves = many.map(([parcels, one], index) => ({ whole: [parcels], one, cut: one.length >> 1, app_id: `app ${index}` }));
          const app = (store: TelemetryStore, app_id: string) => new Tenant(store, { tenant_id: 'tenant', app_id });
          await whileOpen(here, async (store) => {
            for (const { one, cut, app_id } of halves) await oneByOne(app(store, app_id), one.slice(0, cut).map(requestOf));
          });
          await whileOpen(here, async (store) => {
            for (const { whole, one, cut, app_id } of halves) {
              await oneByOne(app(store, app_id), one.slice(cut).map(requestOf));
              const untouched = new Tenant(store);
              await oneByOne(untouched, whole.map(requestOf));
              expect(await app(store, app_id).everything()).toEqual(await untouched.everything());
            }
          });
        }),
        { numRuns: Math.ceil(propertyRuns(200) / 200), endOnFailure: true },
      );
    },
    300_000,
  );
}
