import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type ArchivePartInput, writeParts } from '../../conformance/an-archive.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { bytesLike } from '../../fixtures/media-bytes.ts';
import { request as anyExport } from '../../fixtures/otlp-arbitraries.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let source: TestGateway;
let target: TestGateway;
const { client, fetch: ask, refusal, unseen } = contractClient(() => target);

beforeAll(async () => {
  [source, target] = await Promise.all([startTestGateway(), startTestGateway()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

const selection = (ids: string[]) => ids.map((id) => `trace_id=${encodeURIComponent(id)}`).join('&');

async function exportFile(from: TestGateway, form: 'otlp' | 'capsule', ...ids: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const response = await from.fetch(`/v1/viewer/export/${form}?${selection(ids)}`);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

const picture = bytesLike('image/png', 20_000);
const hashOfPicture = createHash('sha256').update(picture).digest('hex');

/** A run with a picture, a model call, a log record, and scores on the trace and on a span. */
async function aRun(gateway: TestGateway) {
  const [traceId, root, chat] = [aTraceId(), aSpanId(), aSpanId()];
  const input = JSON.stringify({ mimeType: 'image/png', base64: Buffer.from(picture).toString('base64') });
  const attributes = { 'session.id': 'night', 'input.value': input, 'odd key ü': ['a', 1, 0.5, { b: null }] };
  await gateway.ingest(
    aRequest([
      aChat({ traceId, spanId: chat, parentSpanId: root, ask: 'x'.repeat(50_000), reply: 'Behind the moon 🌒' }),
      aSpan({ traceId, spanId: root, name: 'run', attributes, events: [{ name: 'paused', attributes: { why: 'rain' } }] }),
    ]),
  );
  const attributesOfLog = [{ key: 'event.name', value: { stringValue: 'gen_ai.user.message' } }];
  const record = { traceId, spanId: chat, timeUnixNano: '1768471200000000001', body: { stringValue: 'hi' }, attributes: attributesOfLog };
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
  await gateway.client.ingest.logs({ body });
  for (const resource_id of [traceId, chat])
    await gateway.client.scores.create({ body: { resource_id, name: 'helpful', score: 0.25, reason: 'because', session_id: 'night' } });
  await gateway.client.traceTags.change({ body: { trace_ids: [traceId], add: ['by hand'] } });
  return { traceId, spanIds: [root, chat] as const };
}

/** Everything that can be read of a trace, without the time at which it arrived. */
async function contentOf({ client: api, fetch: get }: TestGateway, traceId: string, spanIds: readonly string[]) {
  const raw = await Promise.all(
    spanIds.map(async (spanId) => {
      const { received_at: _, ...rest } = (await api.viewer.rawSpan({ params: { traceId, spanId } })).data;
      return rest;
    }),
  );
  const io = await Promise.all(spanIds.map((spanId) => api.spans.io({ params: { traceId, spanId } })));
  const media = await get(`/v1/viewer/traces/${traceId}/spans/${spanIds[0]}/media/${hashOfPicture}`);
  return {
    raw,
    io,
    media: Buffer.from(await media.arrayBuffer()).toString('base64'),
    outline: await api.traceViewer.outline({ params: { traceId } }),
    trace: await api.traces.get({ params: { traceId }, query: { fields: 'graph,scores' } }),
    scores: await Promise.all([traceId, ...spanIds].map((resource_id) => api.scores.list({ query: { resource_id } }))),
  };
}

const importArchive = (archive: Uint8Array) => client.traceFiles.importArchive({ body: archive });

describe('a trace archive', () => {
  it('opens on another gateway with the same ids, payloads, media and scores, and is exported there with the same content', async () => {
    const { traceId, spanIds } = await aRun(source);
    const archive = await exportFile(source, 'capsule', traceId);
    const { data } = await importArchive(archive);
    expect(data).toEqual({
      trace_ids: [traceId],
      spans_accepted: 3,
      spans_duplicate: 0,
      spans_conflicting: 0,
      scores_accepted: 2,
      scores_duplicate: 0,
    });
    const onTarget = await contentOf(target, traceId, spanIds);
    expect(onTarget).toEqual(await contentOf(source, traceId, spanIds));
    expect(onTarget.media).toBe(Buffer.from(picture).toString('base64'));
    expect(await exportFile(target, 'otlp', traceId)).toEqual(await exportFile(source, 'otlp', traceId));
    expect(partsOf(await exportFile(target, 'capsule', traceId))).toEqual(partsOf(archive));
  });

  it('adds nothing a second time, nor where it came from', async () => {
    const { traceId, spanIds } = await aRun(source);
    const archive = await exportFile(source, 'capsule', traceId);
    await importArchive(archive);
    const before = await contentOf(target, traceId, spanIds);
    const again = { trace_ids: [traceId], spans_accepted: 0, spans_duplicate: 3, spans_conflicting: 0 };
    expect((await importArchive(archive)).data).toEqual({ ...again, scores_accepted: 0, scores_duplicate: 2 });
    expect(await contentOf(target, traceId, spanIds)).toEqual(before);
  });

  it('holds several traces, each with its own spans', async () => {
    const runs = [await aRun(source), await aRun(source), await aRun(source)];
    const ids = runs.map(({ traceId }) => traceId);
    expect((await importArchive(await exportFile(source, 'capsule', ...ids.toReversed(), ids[0] as string))).data.trace_ids).toEqual(ids);
    for (const { traceId, spanIds } of runs)
      expect(await contentOf(target, traceId, spanIds)).toEqual(await contentOf(source, traceId, spanIds));
  });

  it('keeps the first of two different spans with one id, and reports it', async () => {
    const span = { traceId: aTraceId(), spanId: aSpanId() };
    await source.ingest(aRequest([aSpan({ ...span, name: 'here' })]));
    await target.ingest(aRequest([aSpan({ ...span, name: 'there' })]));
    const { data } = await importArchive(await exportFile(source, 'capsule', span.traceId));
    expect(data).toMatchObject({ spans_accepted: 0, spans_conflicting: 1 });
    expect((await target.client.viewer.rawSpan({ params: span })).data.span).toMatchObject({ name: 'there' });
  });
});

describe('an OTLP export', () => {
  it('is accepted by POST /v1/traces and exported to the same bytes, whatever OTLP can carry', async () => {
    await fc.assert(
      fc.asyncProperty(anyExport, async (body) => {
        const traceId = aTraceId();
        const text = JSON.stringify(withTrace(body, traceId));
        expect((await source.ingest(text)).status).toBe(200);
        if ((await source.fetch(`/v1/traces/${traceId}`)).status === 404) return;
        const file = await exportFile(source, 'otlp', traceId);
        expect((await target.ingest(file)).status).toBe(200);
        expect(Buffer.from(await exportFile(target, 'otlp', traceId)).toString()).toBe(Buffer.from(file).toString());
      }),
      { numRuns: 60 },
    );
  });

  it('is named after its trace, without the special characters of an id', async () => {
    await source.ingest(aRequest([aSpan({ traceId: 'a"b,\\;é' })]));
    const response = await source.fetch(`/v1/viewer/export/otlp?${selection(['a"b,\\;é'])}`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="trace-a_b____.otlp.json"');
  });
});

describe('refusals', () => {
  it('name the unknown trace, and the invalid selection', async () => {
    for (const form of ['otlp', 'capsule']) {
      expect(await refusal(`/v1/viewer/export/${form}?trace_id=nowhere`)).toMatchObject({ status: 404, code: 'trace_not_found' });
      expect(await refusal(`/v1/viewer/export/${form}`)).toMatchObject({ code: 'invalid_query_params' });
      expect(await refusal(`/v1/viewer/export/${form}?${selection(Array(101).fill('a'))}`)).toMatchObject({ code: 'invalid_query_params' });
    }
  });

  it('of bodies that cannot be a trace archive because of their size or type', async () => {
    const post = (type: string, more = {}) =>
      ask('/v1/viewer/import', { method: 'POST', body: 'x', headers: { 'content-type': type, ...more } });
    expect((await post('application/json')).status).toBe(415);
    expect((await post('application/vnd.sqlite3', { 'content-encoding': 'gzip' })).status).toBe(415);
    const large = await ask('/v1/viewer/import', {
      method: 'POST',
      body: new Uint8Array(48 * 1024 * 1024 + 1),
      headers: { 'content-type': 'application/vnd.sqlite3' },
    });
    expect(large.status).toBe(413);
  });

  it('leave the store unchanged, whatever is wrong with the archive, and say what', async () => {
    const { traceId } = await aRun(source);
    const good = Buffer.from(await exportFile(source, 'capsule', traceId));
    const other = await aRun(source);
    const count = async () => (await target.client.traces.list({ query: {} })).pagination.total;
    const before = await count();
    for (const [what, archive, pattern] of hostileArchives(good, other.traceId)) {
      const failure = await importArchive(archive).then(
        () => null,
        (error: unknown) => error as GatewayError,
      );
      expect(failure, what).toBeInstanceOf(GatewayError);
      expect([failure?.status, failure?.code], what).toEqual([400, 'invalid_capsule']);
      expect(failure?.message, what).toMatch(pattern);
    }
    expect(await count()).toBe(before);
    expect((await target.fetch(`/v1/traces/${traceId}`)).status).toBe(404);
    expect((await target.client.scores.list({ query: { resource_id: traceId } })).data).toEqual([]);
  });

  it('or imports follow every changed byte, and never a crash', async () => {
    const { traceId } = await aRun(source);
    const good = await exportFile(source, 'capsule', traceId);
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = good.slice();
        changed[at] = (changed[at] as number) ^ by;
        const headers = { 'content-type': 'application/vnd.sqlite3' };
        statuses.add((await target.fetch('/v1/viewer/import', { method: 'POST', body: changed, headers })).status);
      }),
      { numRuns: 200 },
    );
    expect(
      [...statuses].every((status) => status === 200 || status === 400),
      [...statuses].join(),
    ).toBe(true);
  });

  it('were all received', () => {
    const tooLargeToMake = (pair: string) => pair.startsWith('viewer-export') && pair.endsWith('payload_too_large');
    expect(unseen('traceFiles').filter((pair) => !tooLargeToMake(pair) && !pair.endsWith(': ok'))).toEqual([]);
  });
});

type Row = { id: number; kind: string; size: number; sha256: Buffer; data: Buffer };

function partsOf(archive: Uint8Array): unknown[] {
  const db = new Database(Buffer.from(archive), { readonly: true });
  const rows = db.prepare<[], Row>('SELECT * FROM part ORDER BY id').all();
  db.close();
  return rows.map(({ kind, data }) => [kind, zstdDecompressSync(data).toString()]);
}

/** The same archive after SQL was run on it. */
function changeArchive(archive: Buffer, change: (db: Database.Database) => void): Buffer {
  const db = new Database(archive);
  change(db);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

/** Changes the content and makes all hashes match, as an attacker would. */
function forgeArchive(archive: Buffer, change: (parts: ArchivePartInput[], manifest: Record<string, unknown>) => void): Buffer {
  return changeArchive(archive, (db) => {
    const parts = (partsOf(archive) as [string, string][]).map(([kind, text]) => ({ kind, text }));
    const manifest = JSON.parse(db.prepare<[], string>('SELECT json FROM manifest').pluck().get() as string) as Record<string, unknown>;
    change(parts, manifest);
    db.exec('DELETE FROM part');
    const digest = writeParts(db, parts);
    db.prepare('UPDATE manifest SET json = ?').run(JSON.stringify({ ...manifest, digest }));
  });
}

type Hostile = [what: string, bytes: Buffer, pattern: RegExp];

function hostileArchives(good: Buffer, otherTrace: string): Hostile[] {
  const sql = (what: string, statement: string, pattern: RegExp): Hostile => [
    what,
    changeArchive(good, (db) => void db.exec(statement)),
    pattern,
  ];
  const forge = (what: string, from: string | RegExp, to: string, pattern: RegExp): Hostile => [
    what,
    forgeArchive(good, (parts) => {
      for (const part of parts) part.text = part.text.replaceAll(from, to);
    }),
    pattern,
  ];
  const otherProgram = new Database(':memory:');
  otherProgram.exec('CREATE TABLE bookmarks (url TEXT)');
  const bookmarks = otherProgram.serialize();
  otherProgram.close();
  const traceId = good.toString('latin1').match(/"trace_ids":\["([^"]+)"/)?.[1] as string;
  return [
    ['nothing', Buffer.alloc(0), /not an SQLite database/],
    ['text', Buffer.from('{"resourceSpans":[]}'), /not an SQLite database/],
    ['a bare head', good.subarray(0, 100), /./],
    ['half a file', good.subarray(0, good.length / 2), /damaged|contradict|unpacked|manifest/],
    ['the database of another program', bookmarks, /another program/],
    sql('a later format', 'PRAGMA user_version = 2', /format 2/),
    sql('a trigger', 'CREATE TRIGGER t AFTER INSERT ON part BEGIN DELETE FROM manifest; END', /do not belong/),
    sql('a view', 'CREATE VIEW v AS SELECT 1', /do not belong/),
    sql('an index over a function', 'CREATE INDEX i ON part (length(data))', /do not belong/),
    sql('a view in place of a table', 'DROP TABLE part; CREATE VIEW part AS SELECT 1 AS id', /do not belong/),
    sql('no manifest', 'DELETE FROM manifest', /manifest/),
    sql('two manifests', 'INSERT INTO manifest SELECT json FROM manifest', /manifest/),
    sql('an invalid manifest', `UPDATE manifest SET json = '{"version":1}'`, /manifest/),
    sql('a part missing', 'DELETE FROM part WHERE id = 1', /do not match its manifest/),
    sql('a wrong hash', 'UPDATE part SET sha256 = zeroblob(32) WHERE id = 1', /hash/),
    sql('no hash', "UPDATE part SET sha256 = x'' WHERE id = 1", /hash/),
    sql('garbage for a part', 'UPDATE part SET data = zeroblob(100) WHERE id = 1', /unpacked/),
    sql('a huge size', 'UPDATE part SET size = 1 << 40 WHERE id = 1', /more than/),
    sql('a negative size', 'UPDATE part SET size = -1 WHERE id = 1', /more than/),
    sql('a bomb', `UPDATE part SET data = x'${zstdCompressSync(Buffer.alloc(64 << 20)).toString('hex')}' WHERE id = 1`, /unpacked/),
    [
      'an unknown kind',
      forgeArchive(good, (parts) => {
        parts.push({ kind: 'programs', text: '{}' });
      }),
      /unknown kind/,
    ],
    forge('spans of a trace it does not name', traceId, otherTrace, /does not name/),
    forge('a span that ingest refuses', /"spanId":"[^"]+"/g, '"spanId":""', /cannot be stored|counts|number of/),
    forge('different number of spans', /"traceId":/g, '"was":', /cannot be stored|number of/),
    forge('scores of others', `"resource_id":"${traceId}"`, '"resource_id":"../../etc/passwd"', /not in it/),
    forge('an invalid score', '"score":0.25', '"score":"a lot"', /score that cannot be stored/),
    forge('a score with another id', /"id":"[^"]+"/g, '"id":"../x"', /score that cannot be stored/),
    forge(
      'scores of more lists than are read',
      /^\[\{"id".*/gs,
      `[${'[],'.repeat(otlpLimits.jsonContainersMax)}{}]`,
      /more than \d+ arrays/,
    ),
    forge('a part that is not JSON', '{"resourceSpans"', '{resourceSpans', /cannot be ingested/),
    [
      'more scores than it says',
      forgeArchive(good, (_, manifest) => {
        manifest['scores'] = 1;
      }),
      /number of/,
    ],
  ];
}

/** Every span of a request, put into one trace. */
function withTrace(body: unknown, traceId: string): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'spans' && Array.isArray(value) ? value.map((span) => ({ ...span, traceId })) : value,
  );
}
