/** Previews and tokens of redaction over HTTP, with a real store. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noRedaction, type RedactionPolicy } from '../../../shared/contract/operations/redaction.ts';
import { aChat, aRequest, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { storeToken } from '../../fixtures/stored-token.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const ids = { traceId: aTraceId(), spanId: aSpanId() };
const mail = 'ann@example.com';

beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      aChat({ ...ids, ask: `Write to ${mail}.`, reply: 'Done.', attributes: { 'app.note': 'x' } }),
      aChat({ reply: 'Nothing in it.' }),
    ]),
  );
});
afterEach(() => gateway.stop());

const preview = async (policy: Partial<RedactionPolicy>, more: { trace_id?: string; limit?: number; offset?: number } = {}) =>
  (await gateway.client.redaction.preview({ body: { policy: { ...noRedaction, ...policy }, ...more } })).data;

describe('a preview', () => {
  it('lists for each change its path, the stored value and what would be sent', async () => {
    const { spans, totals } = await preview(
      { hide: ['email'], drop: { inputs: false, outputs: true, keys: ['app.*'] } },
      { trace_id: ids.traceId },
    );
    expect(spans).toEqual([
      { trace_id: ids.traceId, span_id: ids.spanId, name: 'chat gpt-4o', retained: false, change_count: 3, changes: expect.any(Array) },
    ]);
    const token = expect.stringMatching(/‹email-[a-z2-7]{16}›/);
    expect(spans[0]?.changes).toEqual([
      { path: 'span.attributes.gen_ai.input.messages', before: expect.stringContaining(mail), after: token, kinds: ['email'] },
      { path: 'span.attributes.gen_ai.output.messages', before: expect.stringContaining('Done.'), after: null, kinds: [] },
      { path: 'span.attributes.app.note', before: 'x', after: null, kinds: [] },
    ]);
    expect(totals).toMatchObject({ spans: 1, retained: 0, changed: 1, dropped: 2, hidden: { email: 1 } });
    expect(totals.bytes_after).not.toBe(totals.bytes_before);
  });

  it('shows the newest spans where no trace is named, page by page, and the same each time', async () => {
    const all = await preview({ hide: ['email'] });
    expect(all.spans.map(({ change_count }) => change_count).sort()).toEqual([0, 1]);
    expect([all.more, (await preview({}, { limit: 1 })).more]).toEqual([false, true]);
    expect((await preview({ hide: ['email'] }, { limit: 1, offset: 1 })).spans).toEqual(all.spans.slice(1));
    expect(await preview({ hide: ['email'] })).toEqual(all);
  });

  it('says which spans are retained', async () => {
    const { spans, totals } = await preview({ only: { environments: ['production'], tags: [] } });
    expect(spans.map(({ retained, changes }) => [retained, changes])).toEqual([
      [true, []],
      [true, []],
    ]);
    expect(totals).toMatchObject({ retained: 2, bytes_after: 0 });
  });

  it('of a long text shows the change with a little context', async () => {
    const traceId = aTraceId();
    await gateway.ingest(aRequest([aChat({ traceId, ask: `${'word '.repeat(20_000)}${mail}${' more'.repeat(20_000)}` })]));
    const [change] = (await preview({ hide: ['email'] }, { trace_id: traceId })).spans[0]?.changes ?? [];
    expect(change?.before).toMatch(/^….*ann@example\.com.*…$/);
    expect(change?.after).toMatch(/^….*‹email-.*…$/);
    expect(change?.before.length).toBeLessThan(300);
  });

  it('stores nothing', async () => {
    const [change] = (await preview({ hide: ['email'] }, { trace_id: ids.traceId })).spans[0]?.changes ?? [];
    const [token = ''] = /‹email-[a-z2-7]{16}›/.exec(change?.after ?? '') ?? [];
    expect(await codeOf(gateway.client.redaction.token({ params: { token } }))).toBe('404 not_found');
  });

  it('is refused for an unknown trace, and for invalid rules', async () => {
    expect(await codeOf(preview({}, { trace_id: 'missing' }))).toBe('404 trace_not_found');
    expect(await codeOf(preview({ hide: ['everything'] as unknown as RedactionPolicy['hide'] }))).toBe('400 invalid_request_body');
  });

  it('shows the tokens that will be sent: their key survives a restart, and only its owner can read it', async () => {
    const before = await preview({ hide: ['email'] });
    const file = join(gateway.dataDir, 'secrets.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await gateway.restart();
    expect(await preview({ hide: ['email'] })).toEqual(before);
  });

  it('fails when the key of the tokens cannot be read, and creates no other', async () => {
    const file = join(gateway.dataDir, 'secrets.json');
    writeFileSync(file, 'not what we wrote');
    chmodSync(file, 0o600);
    expect(await codeOf(preview({ hide: ['email'] }))).toBe('503 storage_unavailable');
    expect(readFileSync(file, 'utf8')).toBe('not what we wrote');
  });
});

it('a token that was sent can be resolved to its value', async () => {
  const { token, kind, value } = storeToken(gateway.dataDir);
  const { data } = await gateway.client.redaction.token({ params: { token } });
  expect(data).toEqual({ token, kind, value, first_at: expect.any(String) });
});
