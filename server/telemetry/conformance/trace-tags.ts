import { expect } from 'vitest';
import { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { addedTagsMax, type TagChange } from '../trace-tags.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const change = ({ store, scope }: Tenant, traceId: string, tags: Partial<TagChange>) =>
  store.tags.change(scope, { trace_ids: [traceId], add: [], remove: [], ...tags });

const sentWith = (...tags: string[]) => ({ 'agentmark.tags': JSON.stringify(tags), 'session.id': 'night' });

async function send(app: Tenant, tags: string[] = [], span: object = {}): Promise<string> {
  const traceId = aTraceId();
  await app.write([aSpan({ traceId, attributes: sentWith(...tags), ...span })]);
  return traceId;
}

/** The tags of a trace by every way to read them, which must agree; the trace must be the only one of its app. */
async function tagsOf(app: Tenant, traceId: string): Promise<string[]> {
  const { tags } = await app.onlyTrace();
  const [session] = (await app.sessions()).data;
  expect(session?.tags ?? []).toEqual(tags);
  const outline = (await app.store.traces.outline(app.scope, traceId))?.decode();
  expect(outline?.tags).toEqual(tags);
  const facets = (await app.store.traceList.facets(app.scope, traceList.facets.query.parse({ limit: 100 }))).decode();
  const counted = facets.facets.find(({ name }) => name === 'tags');
  expect((counted?.values ?? []).map(({ value }) => value).sort()).toEqual(tags);
  for (const tag of tags) expect((await app.traces({ tag: [tag] })).total).toBe(1);
  return tags;
}

export function tagGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('every read knows an added tag, until it is removed', async ({ tenant }) => {
    const app = tenant();
    const traceId = await send(app, ['sent']);
    expect(await change(app, traceId, { add: ['by hand', 'sent', 'by hand'] })).toEqual({ changed: 1, full: [] });
    expect(await tagsOf(app, traceId)).toEqual(['by hand', 'sent']);
    expect(await change(app, traceId, { add: ['by hand'] })).toEqual({ changed: 0, full: [] });
    expect(await change(app, traceId, { remove: ['by hand', 'sent', 'unknown'] })).toEqual({ changed: 1, full: [] });
    expect(await tagsOf(app, traceId)).toEqual(['sent']);
    expect((await app.traces({ tag: ['by hand'] })).total).toBe(0);
  });

  guarantee('the tags of several traces are counted, added ones apart', async ({ tenant }) => {
    const app = tenant();
    const traceId = await send(app, ['sent']);
    await change(app, traceId, { add: ['by hand'] });
    const other = await send(app, ['sent', 'other']);
    expect((await app.store.tags.find(app.scope, [traceId, other, traceId, 'unknown'])).decode()).toEqual([
      { tag: 'by hand', traces: 1, added: 1 },
      { tag: 'other', traces: 1, added: 0 },
      { tag: 'sent', traces: 2, added: 0 },
    ]);
  });

  guarantee('an added tag outlives spans that arrive later, also one that replaces the span it was added to', async ({ tenant }) => {
    const app = tenant();
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    await app.write([{ ...aSpan({ traceId, spanId, attributes: sentWith('early') }), endTimeUnixNano: '0' }]);
    await change(app, traceId, { add: ['by hand'] });
    await app.write([aSpan({ traceId, spanId, attributes: sentWith('late') })]);
    expect(await tagsOf(app, traceId)).toContain('by hand');
    await app.write([aSpan({ traceId, attributes: sentWith('more') })]);
    expect(await tagsOf(app, traceId)).toEqual(expect.arrayContaining(['by hand', 'late', 'more']));
  });

  guarantee('a tag that a span brings later stays when the added one is removed', async ({ tenant }) => {
    const app = tenant();
    const traceId = await send(app);
    await change(app, traceId, { add: ['both'] });
    await app.write([aSpan({ traceId, attributes: sentWith('both') })]);
    await change(app, traceId, { remove: ['both'] });
    expect(await tagsOf(app, traceId)).toEqual(['both']);
  });

  guarantee('unknown traces, and traces of other apps, are left out', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    const [ofRed, ofBlue] = [await send(red), await send(blue)];
    const trace_ids = [ofRed, ofBlue, aTraceId(), 'no such trace', ofRed];
    expect(await change(red, ofRed, { trace_ids, add: ['mine'] })).toEqual({ changed: 1, full: [] });
    expect(await tagsOf(red, ofRed)).toEqual(['mine']);
    expect(await tagsOf(blue, ofBlue)).toEqual([]);
  });

  guarantee('a change that would give a trace too many tags changes nothing', async ({ tenant }) => {
    const app = tenant();
    const [full, other] = [await send(app), await send(app)];
    const many = Array.from({ length: addedTagsMax }, (_, at) => `tag ${at}`);
    expect(await change(app, full, { add: many })).toEqual({ changed: 1, full: [] });
    expect(await change(app, full, { trace_ids: [other, full], add: ['one more'] })).toEqual({ changed: 0, full: [full] });
    expect((await app.traces()).data.find(({ id }) => id === other)?.tags).toEqual([]);
    expect(await change(app, full, { add: ['one more'], remove: ['tag 7'] })).toEqual({ changed: 1, full: [] });
  });

  guarantee('followers hear of changed tags, once they can be read', async ({ tenant }) => {
    const app = tenant();
    const traceId = await send(app);
    const heard = Promise.withResolvers<string[]>();
    const stop = app.store.follow(({ trace_ids }) => heard.resolve(trace_ids));
    await change(app, traceId, { add: ['by hand'] });
    expect(await heard.promise).toEqual([traceId]);
    stop();
  });

  guarantee('added tags are there after the store is opened again, and can be removed then', async ({ location }) => {
    const data = location();
    const { scope, traceId } = await whileOpen(data, async (store) => {
      const app = new Tenant(store);
      const traceId = await send(app, ['sent']);
      await change(app, traceId, { add: ['by hand'] });
      return { scope: app.scope, traceId };
    });
    await whileOpen(data, async (store) => {
      const app = new Tenant(store, scope);
      expect(await tagsOf(app, traceId)).toEqual(['by hand', 'sent']);
      await change(app, traceId, { remove: ['by hand'] });
      expect(await tagsOf(app, traceId)).toEqual(['sent']);
    });
  });

  guarantee('the first change of tags after the store is opened again leaves the texts of a trace', async ({ location }) => {
    const data = location();
    const traceId = aTraceId();
    const texts = { 'traceloop.entity.input': 'the question', 'traceloop.entity.output': 'the answer' };
    const scope = await whileOpen(data, async (store) => {
      const app = new Tenant(store);
      await app.write([aSpan({ traceId, parentSpanId: aSpanId(), attributes: texts })]);
      return app.scope;
    });
    await whileOpen(data, async (store) => {
      const app = new Tenant(store, scope);
      const before = await app.onlyTrace();
      expect(before).toMatchObject({ input_preview: 'the question', output_preview: 'the answer' });
      await change(app, traceId, { add: ['by hand'] });
      expect(await app.onlyTrace()).toEqual({ ...before, tags: ['by hand'] });
    });
  });
}
