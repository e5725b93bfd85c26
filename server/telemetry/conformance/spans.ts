import fc from 'fast-check';
import { expect } from 'vitest';
import { type SpanQuery, spanQuery } from '../../../shared/contract/tracing/spans.ts';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { knownSpans, knownTraces, populate, sorted } from './population.ts';
import type { Tenant } from './tenant.ts';

const hour = 3_600_000;

function expected(query: SpanQuery): { ids: string[]; total: number } {
  const contains = (part: string | undefined, text: string | null) =>
    part === undefined || text?.toLowerCase().includes(part.toLowerCase()) === true;
  const is = (wanted: string | undefined, actual: string | null) => wanted === undefined || wanted === actual;
  const matches = knownSpans.filter(
    (span) =>
      is(query.trace_id?.toLowerCase(), span.trace_id) &&
      is(query.type, span.type) &&
      is(query.status, span.status) &&
      is(query.user_id, span.user) &&
      is(query.session_id, span.session) &&
      contains(query.name, span.name) &&
      contains(query.model, span.model) &&
      span.durationMs >= (query.min_duration ?? 0) &&
      span.durationMs <= (query.max_duration ?? Number.POSITIVE_INFINITY) &&
      (query.start_date === undefined || span.startMs >= Date.parse(query.start_date)) &&
      (query.end_date === undefined || span.startMs <= Date.parse(query.end_date)),
  );
  const ids = sorted(matches, ({ startMs }) => startMs, 'desc').map(({ id }) => id);
  return { ids: ids.slice(query.offset, query.offset + query.limit), total: matches.length };
}

type Query = Parameters<Tenant['spans']>[0];

async function compare(app: Tenant, query: Query): Promise<number> {
  const { data, total } = await app.spans(query);
  expect({ ids: data.map(({ id }) => id), total }, JSON.stringify(query)).toEqual(expected(spanQuery.parse(query)));
  return total;
}

const moments = [0, 0.001, 6, 30, 66].map((hours) => new Date(testEpochMs + hours * hour).toISOString());

const values = {
  trace_id: [knownTraces[4]?.id, knownTraces[5]?.id.toUpperCase(), 'f'.repeat(32)],
  type: ['SPAN', 'GENERATION', 'EVENT'],
  status: ['UNSET', 'OK', 'ERROR'],
  name: ['check', 'CHECK', 'straße', 'look up', 'chat gpt', '', 'nothing'],
  model: ['gpt', 'GPT-4O', 'mini', 'o3', 'claude'],
  min_duration: ['0', '4', '250', '251', '3000'],
  max_duration: ['0', '3', '250', '100', '3000'],
  start_date: [...moments, '2026-01-15T12:00:00+02:00', '2030-01-01T00:00:00Z'],
  end_date: [...moments, '2026-01-15T12:00:00+02:00', '2000-01-01T00:00:00Z'],
  user_id: ['ann', 'Ann', 'bob', 'nobody'],
  session_id: ['chat-1', 'Chat-1', 'zürich', 'chat'],
} as const;

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const anyQuery = fc
  .record({
    limit: fc.integer({ min: 1, max: 60 }),
    offset: fc.nat(80),
    ...Object.fromEntries(
      Object.entries(values).map(([key, candidates]) => [key, seldom(fc.constantFrom(...(candidates as readonly unknown[])))]),
    ),
  })
  .filter((query) => spanQuery.safeParse(query).success) as fc.Arbitrary<Query>;

export function spanGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a list is newest first, ties by latest arrival, and counts everything', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    expect(await compare(app, { limit: 500 })).toBe(knownSpans.length);
  });

  for (const [key, candidates] of Object.entries(values)) {
    guarantee(`a list filtered by ${key} contains exactly the matches, and its total counts them`, async ({ tenant }) => {
      const app = tenant();
      await populate(app);
      const totals: number[] = [];
      for (const value of candidates)
        totals.push(await compare(app, { [key]: value }), await compare(app, { [key]: value, limit: 1, offset: 1 }));
      expect(Math.max(...totals)).toBeGreaterThan(0);
      expect(Math.min(...totals)).toBeLessThan(knownSpans.length);
    });
  }

  guarantee('pages follow each other without gap or overlap', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    const listedIds: string[] = [];
    for (let offset = 0; offset <= knownSpans.length; offset += 9) {
      listedIds.push(...(await app.spans({ limit: 9, offset })).data.map(({ id }) => id));
    }
    expect(listedIds).toEqual(sorted(knownSpans, ({ startMs }) => startMs, 'desc').map(({ id }) => id));
  });

  guarantee('random combinations of filters and page return the expected rows', async ({ tenant, cases }) => {
    const app = tenant();
    await populate(app);
    await fc.assert(
      fc.asyncProperty(anyQuery, (query) => compare(app, query).then(() => undefined)),
      { numRuns: cases(400) },
    );
  });

  guarantee('percent, underscore, quote and backslash in a filter are literal', async ({ tenant }) => {
    const app = tenant();
    for (const name of ['100%', '100x', 'a_b', 'aXb', `it's "so"`, 'back\\slash', '*', '']) await app.write([aSpan({ name })]);
    const names = async (name: string) => (await app.spans({ name })).data.map((span) => span.name).sort();
    expect(await names('%')).toEqual(['100%']);
    expect(await names('a_b')).toEqual(['a_b']);
    expect(await names(`'S "`)).toEqual([`it's "so"`]);
    expect(await names('k\\s')).toEqual(['back\\slash']);
    expect(await names('*')).toEqual(['*']);
    expect(await names(`' OR 1=1 --`)).toEqual([]);
  });

  guarantee('case is ignored for all Unicode letters, not only for ASCII', async ({ tenant }) => {
    const app = tenant();
    await app.write([aSpan({ name: 'ÜBERSICHT' }), aSpan({ name: 'ΣΊΣΥΦΟΣ' })]);
    expect((await app.spans({ name: 'übersicht' })).total).toBe(1);
    expect((await app.spans({ name: 'σίσυ' })).total).toBe(1);
  });

  guarantee('a duration is compared to the nanosecond, and the bounds are included', async ({ tenant }) => {
    const app = tenant();
    for (const durationMs of [9.999, 10, 10.001]) await app.write([aSpan({ durationMs })]);
    const durations = async (query: Query) => (await app.spans(query)).data.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
    expect(await durations({ min_duration: '10' })).toEqual([10, 10.001]);
    expect(await durations({ max_duration: '10' })).toEqual([9.999, 10]);
    expect(await durations({ min_duration: '10', max_duration: '10' })).toEqual([10]);
    expect(await durations({ min_duration: '11', max_duration: '9' })).toEqual([]);
  });

  guarantee('every column of a row has the value of the span, and absent values are empty as declared', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId(), parentSpanId: aSpanId() };
    await app.write([
      aChat({
        ...ids,
        startMs: testEpochMs + 0.123,
        durationMs: 1.5,
        status: 'ERROR',
        statusMessage: 'rate limited',
        inputTokens: 100,
        outputTokens: 20,
        attributes: { 'agentmark.usage.cost_usd': 0.125, 'agentmark.prompt_name': 'weather', 'agentmark.metadata.plan': 'pro' },
      }),
    ]);
    const full = {
      id: ids.spanId,
      trace_id: ids.traceId,
      parent_id: ids.parentSpanId,
      name: 'chat gpt-4o',
      status: 'ERROR',
      status_message: 'rate limited',
      duration_ms: 1.5,
      timestamp: '2026-01-15T10:00:00.000Z',
      type: 'GENERATION',
      model: 'gpt-4o',
      input_tokens: 100,
      output_tokens: 20,
      tokens: 120,
      cost: 0.125,
      cost_source: 'reported',
      span_kind: 'llm',
      service_name: 'test-service',
      prompt_name: 'weather',
      metadata: { plan: 'pro' },
    };
    expect((await app.spans()).data).toEqual([full]);
    expect(await app.ofTrace(ids.traceId)).toEqual([full]);
    const bare = tenant();
    await bare.write([aSpan({ name: '' })]);
    expect((await bare.spans()).data).toMatchObject([
      {
        parent_id: null,
        name: '',
        status: 'UNSET',
        status_message: '',
        type: 'SPAN',
        model: null,
        tokens: 0,
        cost: 0,
        cost_source: 'none',
      },
    ]);
    expect((await bare.spans()).data).toMatchObject([{ span_kind: 'function', prompt_name: null, metadata: {} }]);
  });

  guarantee('a payload is found only under its own trace', async ({ tenant }) => {
    const app = tenant();
    const [one, two] = [aTraceId(), aTraceId()] as const;
    const spanId = aSpanId();
    await app.write([
      aSpan({ traceId: one, spanId, attributes: { 'output.value': 'one' } }),
      aSpan({ traceId: two, attributes: { 'output.value': 'two' } }),
    ]);
    expect((await app.io(one, spanId))?.output).toBe('one');
    expect((await app.io(one.toUpperCase(), spanId.toUpperCase()))?.output).toBe('one');
    for (const [trace, span] of [
      [two, spanId],
      [one, aSpanId()],
      [aTraceId(), spanId],
      ['', ''],
      [one, 'no such'],
    ] as const) {
      expect([await app.io(trace, span), await app.raw(trace, span)]).toEqual([null, null]);
    }
  });
}
