/** Calls every read of an app in many ways, while another app has data with the same ids and values. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { baselineQuery, experimentQuery } from '../../../shared/contract/evaluation/experiments.ts';
import { scoreQuery } from '../../../shared/contract/evaluation/scores.ts';
import { groupComparisons } from '../../../shared/contract/tracing/compared-groups.ts';
import { errorGroups } from '../../../shared/contract/tracing/error-groups.ts';
import { sessionQuery } from '../../../shared/contract/tracing/sessions.ts';
import { spanQuery } from '../../../shared/contract/tracing/spans.ts';
import { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { traceQuery } from '../../../shared/contract/tracing/traces.ts';
import { activityQuery } from '../../../shared/contract/viewer/activity.ts';
import { activityBreakdowns } from '../../../shared/contract/viewer/activity-shape.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { aChat, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { Encoded } from '../encoded.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const [traceId, rootId, callId] = ['7a'.repeat(16), '7b'.repeat(8), '7c'.repeat(8)];
const [otherTrace, otherSpan] = ['7d'.repeat(16), '7e'.repeat(8)];
const dayMs = 86_400_000;
const window = { from: testEpochMs - 30 * dayMs, to: testEpochMs + 30 * dayMs };
const filters = [
  'user_id = ann',
  'model contains gpt',
  'tags = shared',
  'metadata.colour = common',
  'metadata.other exists',
  'metadata.colour contains o',
  'input contains common',
  'output contains word',
  'trace_id contains 7a',
  'score__tone > 0',
  'score__tone < 0.3',
  'cost >= 0',
  'status = ERROR',
  'tags != other',
  'tags contains sha',
];
const fields = [
  'model',
  'user_id',
  'session_id',
  'tags',
  'prompt_name',
  'name',
  'metadata.colour',
  'metadata',
  'score',
  'trace_id',
  'environment',
];

const attributes = (word: string) => ({
  'session.id': 'chat',
  'agentmark.session_name': word,
  'user.id': 'ann',
  'agentmark.tags': '["shared"]',
  'agentmark.metadata.colour': 'common',
  [`agentmark.metadata.${word}`]: word,
  'agentmark.prompt_name': 'prompt',
  'agentmark.dataset_run_id': 'run',
  'agentmark.dataset_path': 'rows.jsonl',
  'agentmark.experiment_key': 'key',
  'agentmark.dataset_item_name': word,
  'deployment.environment': 'staging',
  'input.value': 'common words',
  'output.value': `a word: ${word}`,
});

const aScore = (resource_id: string, at: number, name: string, word: string) => ({
  ...{ id: randomUUID(), resource_id, name, score: at / 10, label: word, reason: word, source: 'api' as const },
  created_at: new Date(testEpochMs + at * 1000).toISOString(),
});

async function write(app: Tenant, word: string, traces: number): Promise<void> {
  await app.write([
    aSpan({ traceId, spanId: rootId, name: `run ${word}`, attributes: attributes(word) }),
    aChat({ traceId, spanId: callId, parentSpanId: rootId, reply: word, status: 'ERROR', attributes: attributes(word) }),
  ]);
  const others = Array.from({ length: traces - 1 }, (_, before) => {
    const at = before + 1;
    const startMs = testEpochMs + (at % 2 === 0 ? -1 : 1) * at * 60_000;
    return app.write([aChat({ startMs, name: `call ${word}`, attributes: { ...attributes(word), 'user.id': at % 3 ? 'ann' : word } })]);
  });
  await Promise.all(others);
  const scoreOn = (resource_id: string, at: number, name = 'tone') => aScore(resource_id, at, name, word);
  const scores = Array.from({ length: traces }, (_, at) => [
    scoreOn(traceId, at),
    scoreOn(rootId, at),
    scoreOn(callId, at),
    scoreOn('nowhere', at, word),
    scoreOn(traceId, at + 1, 'whole'),
  ]);
  await app.store.scores.insert(app.scope, scores.flat());
}

const decode = async (read: Promise<Encoded<unknown> | { data: Encoded<unknown>; total: number } | null>): Promise<unknown> => {
  const found = await read;
  if (found === null) return null;
  return 'total' in found ? { total: found.total, data: found.data.decode() } : found.decode();
};

/** @param others ids of scores that are not of this app */
async function everyRead({ store, scope }: Tenant, others: readonly string[]): Promise<unknown> {
  const { rows, overTime, facets } = traceList;
  const filterQueries = ['', ...filters].map((text) => ({ text, filter: text === '' ? {} : { filter: text } }));
  const lists = filterQueries.flatMap(({ filter }) => [
    store.traceList.list(scope, rows.query.parse({ ...filter, limit: 1000 })),
    store.traceList.overTime(scope, overTime.query.parse({ ...filter, buckets: 20 })),
    store.traceList.facets(scope, facets.query.parse({ ...filter, limit: 100 })),
    store.errorGroups.list(scope, errorGroups.list.query.parse({ ...filter, ...window })),
    store.traces.list(scope, traceQuery.parse({ ...filter, limit: 1000 })),
    store.spans.list(scope, spanQuery.parse({ ...filter, limit: 500 })),
  ]);
  const rest = { limit: 1000, offset: 0, sort_order: 'asc' } as const;
  const page = { ...rest, window };
  const searches = filters.flatMap((text) => [
    store.search.traces(scope, { ...page, sort_by: 'cost', filter: parseFilterText('traces', text) }),
    store.search.states(scope, { ...rest, ...window, sort_by: 'start_time', filter: parseFilterText('traces', text) }),
    store.search.spans(scope, { ...page, sort_by: 'start_time', filter: parseFilterText('spans', text) }),
  ]);
  const traceQueries = [
    { name: 'run crimson' },
    { user_id: 'ann' },
    { session_id: 'chat' },
    { tag: 'shared' },
    { model: 'gpt-4o' },
    { dataset_run_id: 'run' },
  ];
  const windows = [null, 'staging'].map((environment) => ({ from_ms: window.from, to_ms: window.to, environment }));
  const scoreFilter = parseFilterText('scores', 'name = tone');
  const reads = [
    ...lists,
    ...searches,
    store.search.scores(scope, { ...page, sort_by: 'score', filter: scoreFilter }),
    ...[rootId, callId].flatMap((id) => [
      store.search.span(scope, id),
      store.spans.io(scope, traceId, id),
      store.spans.raw(scope, traceId, id),
    ]),
    ...traceQueries.map((query) => store.traces.list(scope, traceQuery.parse({ ...query, limit: 1000 }))),
    ...[{ name: 'call' }, { user_id: 'ann' }, { trace_id: traceId }].map((query) =>
      store.spans.list(scope, spanQuery.parse({ ...query, limit: 500 })),
    ),
    ...fields.map((field) => store.traceList.values(scope, { field, prefix: '', limit: 100 })),
    ...[
      store.traces.find(scope, traceId, { graph: true, scores: true }),
      store.traces.graph(scope, traceId),
      store.traces.outline(scope, traceId),
      store.comparisons.find(scope, { a: traceId, b: traceId }),
      store.tags.find(scope, [traceId, otherTrace]),
      store.runaways.list(scope, { limit: 50 }),
      store.runaways.thresholds(scope),
      store.runaways.hasService(scope, 'crimson'),
      store.contexts.find(scope, traceId),
      store.comparisons.groups(scope, groupComparisons.find.query.parse({ a_ids: traceId })),
      store.comparisons.seenBefore(scope, traceId),
      store.comparisons.groups(scope, groupComparisons.find.query.parse({ a: 'status = ERROR', b: 'user_id = ann' })),
    ],
    ...[store.spans.ofTrace(scope, traceId), store.spans.tracesOf(scope, [rootId, callId, otherSpan])],
    ...[store.spans.previews(scope, traceId, [rootId, callId]), store.spans.find(scope, traceId, 'word', null)],
    ...['', 'chat', 'ann'].map((search) => store.sessions.list(scope, sessionQuery.parse({ limit: 1000, ...(search && { search }) }))),
    store.sessions.traces(scope, 'chat'),
    ...[{}, { resource_type: 'trace' }, { resource_type: 'span' }, { resource_id: traceId }, { name: 'tone' }].map((query) =>
      store.scores.list(scope, scoreQuery.parse({ ...query, limit: 1000 })),
    ),
    ...others.map((id) => store.scores.find(scope, id)),
    store.scores.names(scope),
    ...[store.metrics.requests(scope, window, true), store.metrics.scores(scope, {})],
    ...windows.flatMap((range) => [
      store.windows.requests(scope, range),
      store.windows.scores(scope, range, 'tone'),
      store.windows.runaways(scope, range),
      store.windows.requestMinutes(scope, range),
      store.windows.scoreMinutes(scope, range, 'tone'),
      store.windows.runawayMinutes(scope, range),
    ]),
    ...activityBreakdowns.map((by) => store.statistics.activity(scope, activityQuery.parse({ ...window, by }))),
    ...[store.statistics.scores(scope, { name: 'tone' } as never), store.usage.of(scope, testEpochMs)],
    ...[store.experiments.list(scope, experimentQuery.parse({})), store.experiments.find(scope, 'run')],
    store.experiments.baseline(scope, baselineQuery.parse({ experiment_key: 'key', tree_hash: 'x' })),
  ];
  return Promise.all(reads.map((read) => decode(read as never)));
}

const scoreIds = async ({ store, scope }: Tenant): Promise<string[]> => {
  const { data } = await store.scores.list(scope, scoreQuery.parse({ limit: 1000 }));
  return (data.decode() as { id: string }[]).map(({ id }) => id);
};

export function tenancyGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('data of another app with the same ids changes no read of an app', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    await write(red, 'crimson', 3);
    // Scores of a trace and a span that only the other app will have.
    await red.store.scores.insert(red.scope, [aScore(otherTrace, 1, 'tone', 'crimson'), aScore(otherSpan, 1, 'tone', 'crimson')]);
    const mine = await scoreIds(red);
    const before = await everyRead(red, mine.slice(0, 2));
    const empty = await everyRead(blue, mine.slice(0, 2));
    expect(JSON.stringify(empty)).not.toMatch(/crimson|"tone"|gpt/);
    await write(blue, 'azure', 8);
    await blue.write([aSpan({ traceId: otherTrace, spanId: otherSpan, attributes: attributes('azure') })]);
    expect(await everyRead(red, mine.slice(0, 2))).toEqual(before);
    expect(JSON.stringify(await everyRead(blue, mine.slice(0, 2)))).not.toContain('crimson');
    // Both apps have the same values, and each finds its own data by them.
    for (const filter of ['user_id = ann', 'tags = shared', 'metadata.colour = common', 'input contains common'])
      expect([filter, (await blue.traces({ filter })).total > 0]).toEqual([filter, true]);
    const found = await blue.traces({ filter: 'score__whole > 0' });
    expect(found.total).toBe(1);
    for (const id of mine) expect(await blue.store.scores.remove(blue.scope, id)).toBe(false);
    expect((await scoreIds(red)).sort()).toEqual(mine.sort());
  });

  guarantee('the arrival cursor of a list does not change when other tenants write, however much', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    const arrivalCursor = async (app: Tenant) => (await app.listed()).arrived;
    await red.write([aSpan()]);
    const before = await arrivalCursor(red);
    await blue.write([aSpan()]);
    const other = await arrivalCursor(blue);
    expect(await arrivalCursor(red)).toBe(before);
    await blue.write(Array.from({ length: 1100 }, () => aSpan()));
    expect([(await arrivalCursor(red)) === before, (await arrivalCursor(blue)) === other]).toEqual([true, false]);
  });
}
