import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { aChat, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const values = async ({ store, scope }: Tenant, query: object) =>
  (await store.traceList.values(scope, traceList.values.query.parse(query))).decode();

export function lookupGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'spans of a trace are previewed in the order of their ids, as lists show them; unknown ones are left out',
    async ({ tenant }) => {
      const app = tenant();
      const [traceId, one, two] = [aTraceId(), aSpanId(), aSpanId()];
      await app.write([aChat({ traceId, spanId: one }), aSpan({ traceId, spanId: two, parentSpanId: one })]);
      const previews = async (of: string, ids: string[]) => (await app.store.spans.previews(app.scope, of, ids)).decode();
      const listed = new Map((await app.detail(traceId)).spans.map((span) => [span.id, span]));
      expect(await previews(traceId, [two, aSpanId(), one])).toMatchObject([two, one].map((id) => listed.get(id)));
      expect(await previews(aTraceId(), [one])).toEqual([]);
    },
  );

  guarantee('the trace of each span is found, of two with the same id the later one', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const [early, late, spanId, second] = [aTraceId(), aTraceId(), aSpanId(), aSpanId()];
    await app.write([aSpan({ traceId: early, spanId }), aSpan({ traceId: early, spanId: second })]);
    await app.write([aSpan({ traceId: late, spanId })]);
    const tracesOf = async ({ store, scope }: Tenant, ids: string[]) => (await store.spans.tracesOf(scope, ids)).decode();
    expect(await tracesOf(app, [second, aSpanId(), spanId, second])).toEqual([early, null, late, early]);
    expect(await tracesOf(other, [spanId])).toEqual([null]);
  });

  guarantee('media are found by their hash, in their span only', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(20_000)]);
    const sha256 = createHash('sha256').update(png).digest('hex');
    const [traceId, spanId, without] = [aTraceId(), aSpanId(), aSpanId()];
    const output = JSON.stringify([{ mimeType: 'image/png', base64: png.toString('base64') }]);
    await app.write([aSpan({ traceId, spanId, attributes: { 'agentmark.output': output } }), aSpan({ traceId, spanId: without })]);
    const find = (of: Tenant, span: string, hash: string) => of.store.spans.media(of.scope, traceId, span, hash);
    const found = await find(app, spanId, sha256);
    expect([found?.type, found && Buffer.from(found.bytes).equals(png)]).toEqual(['image/png', true]);
    expect(await Promise.all([find(app, without, sha256), find(app, spanId, '0'.repeat(64)), find(other, spanId, sha256)])).toEqual([
      null,
      null,
      null,
    ]);
  });

  guarantee('observed values of a field are listed by their beginning, in code point order', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const users = ['bob', 'Bert', 'béa', 'b\u{1f600}', 'b\uffee', 'ann'];
    await app.write(users.map((user) => aSpan({ attributes: { 'user.id': user, [`agentmark.metadata.of-${user.length}`]: 'x' } })));
    await other.write([aSpan({ attributes: { 'user.id': 'b of another' } })]);
    expect(await values(app, { field: 'user_id', prefix: 'b' })).toEqual(['bob', 'béa', 'b\uffee', 'b\u{1f600}']);
    expect(await values(app, { field: 'user_id', prefix: 'b', limit: 2 })).toEqual(['bob', 'béa']);
    expect(await values(app, { field: 'metadata', prefix: 'of-' })).toEqual(['of-2', 'of-3', 'of-4']);
    expect(await values(app, { field: 'latency' })).toEqual([]);
  });
}
