import { expect } from 'vitest';
import { aChat, aRequest, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';

/** A pending record of a span. */
const pending = (span: object): object => ({ ...span, endTimeUnixNano: '0' });

/** The placeholder that Logfire sends when a span begins: a record with its own id, below the span that it announces. */
const placeholderOf = (span: Record<string, unknown>, spanId = aSpanId()): object => ({
  ...aSpan({
    traceId: span['traceId'] as string,
    spanId,
    parentSpanId: span['spanId'] as string,
    attributes: { 'logfire.span_type': 'pending_span' },
  }),
  startTimeUnixNano: span['startTimeUnixNano'],
});

export function pendingGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a pending span is shown, and replaced once by its final record', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await app.write([pending(aChat({ ...ids, name: 'chat begins', inputTokens: 0, outputTokens: 0, reply: '' }))]);
    expect(await app.onlyTrace()).toMatchObject({ name: 'chat begins', latency_ms: 0, span_count: 1, status: 'UNSET' });
    const final = aChat({ ...ids, name: 'chat', durationMs: 700, status: 'OK', inputTokens: 30, outputTokens: 4, reply: 'Sunny.' });
    expect(await app.write([final])).toEqual({ accepted: 1, duplicates: 0, conflicts: [] });
    expect(await app.onlyTrace()).toMatchObject({ name: 'chat', latency_ms: 700, tokens: 34, span_count: 1, output_preview: 'Sunny.' });
    expect(await app.spans()).toMatchObject({ total: 1, data: [{ name: 'chat', status: 'OK', duration_ms: 700 }] });
    await app.write([{ ...final, name: 'chat, again' }]);
    expect((await app.onlyTrace()).name).toBe('chat');
  });

  guarantee('the state of a trace says whether a span of it is pending, within a range of time', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const search = {
      limit: 10,
      offset: 0,
      sort_by: 'start_time',
      sort_order: 'asc',
      bookkeeping: 'exclude',
      filter: { clauses: [] },
    } as const;
    const states = async (from = testEpochMs, to = testEpochMs + 1) =>
      (await app.store.search.states(app.scope, { ...search, from, to })).data.decode();
    await app.write([pending(aSpan({ ...ids, startMs: testEpochMs }))]);
    expect(await states()).toMatchObject([{ id: ids.traceId, is_running: true }]);
    await app.write([aSpan({ ...ids, startMs: testEpochMs, durationMs: 700 })]);
    expect(await states()).toEqual([{ id: ids.traceId, end_ms: testEpochMs + 700, is_running: false }]);
    expect(await states(testEpochMs - 10, testEpochMs)).toEqual([]);
  });

  guarantee('a pending record after the final one, or after another pending one, changes nothing', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await app.write([pending(aSpan({ ...ids, name: 'first' }))]);
    expect(await app.write([pending(aSpan({ ...ids, name: 'second' }))])).toMatchObject({ accepted: 0, duplicates: 1, conflicts: [] });
    expect((await app.onlyTrace()).name).toBe('first');
    await app.write([aSpan({ ...ids, name: 'final' })]);
    expect(await app.write([pending(aSpan({ ...ids, name: 'third' }))])).toMatchObject({ accepted: 0, duplicates: 1, conflicts: [] });
    expect(await app.onlyTrace()).toMatchObject({ name: 'final', latency_ms: 100 });
  });

  guarantee('of a pending and a final record in one request the final one counts, whichever comes first', async ({ tenant }) => {
    for (const isReversed of [false, true]) {
      const app = tenant();
      const ids = { traceId: aTraceId(), spanId: aSpanId() };
      const pair = [pending(aSpan({ ...ids, name: 'begins' })), aSpan({ ...ids, name: 'done' })];
      await app.write(isReversed ? pair.toReversed() : pair);
      expect(await app.onlyTrace()).toMatchObject({ name: 'done', span_count: 1 });
    }
  });

  guarantee('the final record replaces all tags, session, user, model and payload of the pending one', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId(), parentSpanId: aSpanId() };
    const valuesOf = (word: string, model: string) => ({
      'session.id': `session ${word}`,
      'agentmark.session_name': `name ${word}`,
      'user.id': `user ${word}`,
      'agentmark.tags': JSON.stringify([`tag ${word}`, 'both']),
      'agentmark.metadata.commit_sha': `commit ${word}`,
      'agentmark.dataset_run_id': `run ${word}`,
      'gen_ai.request.model': model,
      'input.value': `input ${word}`,
      'output.value': `output ${word}`,
    });
    await app.write([pending(aSpan({ ...ids, attributes: valuesOf('before', 'gpt-4o') }))]);
    await app.write([aSpan({ traceId: ids.traceId, parentSpanId: ids.spanId, attributes: { 'agentmark.tags': '["child"]' } })]);
    await app.write([aSpan({ ...ids, attributes: valuesOf('after', 'o3') })]);
    const other = tenant();
    await other.write([
      aSpan({ ...ids, attributes: valuesOf('after', 'o3') }),
      aSpan({ traceId: ids.traceId, parentSpanId: ids.spanId, attributes: { 'agentmark.tags': '["child"]' } }),
    ]);
    expect(await app.onlyTrace()).toMatchObject({
      tags: ['both', 'child', 'tag after'],
      input_preview: 'input after',
      output_preview: 'output after',
    });
    expect((await app.sessions()).data).toMatchObject([{ id: 'session after', name: 'name after', tags: ['both', 'child', 'tag after'] }]);
    for (const query of [
      { session_id: 'session before' },
      { user_id: 'user before' },
      { tag: 'tag before' },
      { commit_sha: 'commit before' },
      { dataset_run_id: 'run before' },
      { model: 'gpt-4o' },
    ])
      expect(await app.traces(query), JSON.stringify(query)).toEqual({ data: [], total: 0 });
    expect(await app.sessionTraces('session before')).toEqual([]);
  });

  guarantee('a session that only a pending record named is removed with it', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await app.write([pending(aSpan({ ...ids, attributes: { 'session.id': 'mistaken' } }))]);
    expect((await app.sessions()).total).toBe(1);
    await app.write([aSpan(ids)]);
    expect(await app.sessions()).toEqual({ data: [], total: 0 });
  });

  guarantee('values of other spans stay when a pending record with the same values is replaced', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    const spanId = aSpanId();
    const same = { 'session.id': 'chat', 'user.id': 'ann', 'agentmark.tags': '["shared"]' };
    await app.write([aSpan({ traceId, parentSpanId: spanId, attributes: same }), pending(aSpan({ traceId, spanId, attributes: same }))]);
    await app.write([aSpan({ traceId, spanId })]);
    expect((await app.traces({ session_id: 'chat', user_id: 'ann', tag: 'shared' })).total).toBe(1);
    expect((await app.onlyTrace()).tags).toEqual(['shared']);
    expect((await app.sessions()).total).toBe(1);
  });

  guarantee('a placeholder is neither shown nor counted before its span arrives', async ({ tenant }) => {
    const app = tenant();
    const span = aSpan({ traceId: aTraceId(), spanId: aSpanId(), name: 'agent run', attributes: { 'session.id': 'chat' } });
    const traceId = span['traceId'] as string;
    await app.write([placeholderOf(span)]);
    expect([(await app.traces()).total, (await app.spans()).total, (await app.sessions()).total]).toEqual([0, 0, 0]);
    expect([await app.find(traceId), await app.ofTrace(traceId), await app.graph(traceId)]).toEqual([null, [], []]);
    await app.write([span]);
    expect(await app.onlyTrace()).toMatchObject({ name: 'agent run', span_count: 1 });
    expect([(await app.spans()).total, (await app.ofTrace(traceId)).length, (await app.detail(traceId)).spans.length]).toEqual([1, 1, 1]);
    expect((await app.sessions()).data).toMatchObject([{ id: 'chat', trace_count: 1 }]);
  });

  guarantee('a placeholder adds no tags and no session to its trace', async ({ tenant }) => {
    const app = tenant();
    const [traceId, attributes] = [aTraceId(), { 'session.id': 'chat', 'agentmark.tags': '["a"]', 'logfire.span_type': 'pending_span' }];
    await app.write([aSpan({ traceId, attributes })]);
    await app.write([aSpan({ traceId })]);
    expect((await app.onlyTrace()).tags).toEqual([]);
    expect([
      (await app.sessions()).total,
      (await app.traces({ tag: 'a' })).total,
      (await app.traces({ session_id: 'chat' })).total,
    ]).toEqual([0, 0, 0]);
  });

  guarantee('children of a placeholder count as children of its parent in the sums', async ({ tenant }) => {
    const app = tenant();
    const span = aSpan({ traceId: aTraceId(), spanId: aSpanId(), attributes: { 'agentmark.usage.cost_usd': 0.5 } });
    const spanId = aSpanId();
    const child = aSpan({ traceId: span['traceId'] as string, parentSpanId: spanId, attributes: { 'agentmark.usage.cost_usd': 0.2 } });
    await app.write([child, placeholderOf(span, spanId), span]);
    expect(await app.onlyTrace()).toMatchObject({ cost: 0.5, span_count: 2 });
  });

  guarantee('a placeholder that becomes a span with the same id is counted from then on', async ({ tenant }) => {
    const app = tenant();
    const span = aSpan({ traceId: aTraceId(), spanId: aSpanId(), parentSpanId: aSpanId() });
    await app.write([placeholderOf({ ...span, spanId: span['parentSpanId'] }, span['spanId'] as string)]);
    await app.write([span]);
    expect([(await app.traces()).total, (await app.spans()).total]).toEqual([1, 1]);
    expect(await app.onlyTrace()).toMatchObject({ span_count: 1 });
  });

  guarantee('a span without times is stored as pending', async ({ tenant }) => {
    const app = tenant();
    const { startTimeUnixNano: _start, endTimeUnixNano: _end, ...timeless } = aSpan();
    expect(JSON.stringify(aRequest([timeless]))).not.toContain('Nano');
    await app.write([timeless], Date.UTC(2026, 3, 1));
    expect(await app.onlyTrace()).toMatchObject({ start: '2026-04-01T00:00:00.000Z', latency_ms: 0 });
  });
}
