/** Links to traces, over HTTP: what anybody reads with one, what stays inside, and when it ends. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../../../shared/client.ts';
import type { Route } from '../../../shared/contract/core/route.ts';
import { shareLinks } from '../../../shared/contract/tracing/share-links.ts';
import type { ShareLinkHides } from '../../../shared/contract/tracing/shared-trace.ts';
import { aRequest, aSpan, aSpanId, aTraceId, attributeList } from '../../../shared/fixtures/otlp.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

const dayMs = 24 * 3600 * 1000;
const canary = 'kanarienvogel';
/** Somebody's id. Never shown. */
const person = 'rotkehlchen';
/** The name, the address and the beginning of the bytes of an image. Never shown. */
const image = { name: 'zaunkoenig.png', url: 'https://bilder.test/7', bytes: 'iVBORw0KGgo' };
const price = 12.345678;
const everything: ShareLinkHides = { contents: true, attributes: true, costs: true };
const nothing: ShareLinkHides = { contents: false, attributes: false, costs: false };
const lines: string[] = [];
const log = (event: string, fields?: object) => void lines.push(JSON.stringify([event, fields]));
let now = Date.now();
let cloud: TestCloud;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => now), log: { info: log, error: log } });
  tenant = cloud.tenant;
  other = await cloud.addTenant('other');
});
beforeEach(() => {
  // Readers are limited by the minute.
  now += 60_000;
});
afterAll(() => cloud.stop());

const png = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(6000)}`, 'latin1').toString('base64');
const media = [
  { type: 'blob', modality: 'image', mime_type: 'image/png', content: png, name: image.name },
  { type: 'uri', modality: 'image', mime_type: 'image/png', uri: image.url },
];
const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }, ...media] }]);
const sensitive = {
  'gen_ai.input.messages': message('user', canary),
  'gen_ai.output.messages': message('assistant', canary),
  'gen_ai.system_instructions': canary,
  'gen_ai.tool.definitions': JSON.stringify([{ name: canary }]),
  'gen_ai.tool.call.arguments': canary,
  'gen_ai.tool.call.result': canary,
  'gen_ai.request.stop_sequences': canary,
  'gen_ai.response.finish_reasons': canary,
  'gen_ai.provider.name': `${canary} with spaces`,
  'gen_ai.usage.cost': price,
  ...{ 'session.id': person, 'user.id': person, 'langfuse.session.id': person, 'langfuse.user.id': person, 'llm.user': person },
  metadata: JSON.stringify({ user_id: person, deeper: { sessionId: person }, note: canary }),
  'langfuse.trace.name': canary,
  [canary]: canary,
};

/** A trace whose every text but names of spans, models and services is the canary. */
async function send(of: TestTenant, traceId = aTraceId()): Promise<{ traceId: string; spanIds: string[] }> {
  const spanIds = [aSpanId(), aSpanId()] as const;
  const event = { name: canary, attributes: { 'exception.message': canary } };
  const failure = { status: 'ERROR' as const, statusMessage: canary, events: [event] };
  const root = aSpan({ traceId, spanId: spanIds[0], name: 'root', startMs: now, attributes: sensitive, ...failure });
  const links = [{ traceId: aTraceId(), spanId: aSpanId(), attributes: attributeList({ [canary]: canary }) }];
  const attributes = { ...sensitive, 'gen_ai.request.model': 'gpt-4o' };
  const tool = aSpan({ traceId, spanId: spanIds[1], parentSpanId: spanIds[0], name: 'tool', startMs: now, attributes });
  const response = await cloud.ingest(of, aRequest([{ ...root, links }, tool]));
  expect(response.status).toBe(200);
  await of.client.scores.create({ body: { resource_id: traceId, name: canary, score: 1, reason: canary } });
  await of.client.traceTags.change({ body: { trace_ids: [traceId], add: [canary] } });
  await of.owner.comments.create({ body: { resource_id: traceId, body: canary } });
  return { traceId, spanIds: [...spanIds] };
}

async function share(of: TestTenant, traceId: string, hides = everything, expires_in_days: 1 | 7 = 7) {
  const { data } = await of.owner.shareLinks.create({ body: { trace_id: traceId, hides, expires_in_days } });
  return { ...data, token: data.url.slice(data.url.lastIndexOf('/') + 1) };
}

const publicRoutes = Object.values(shareLinks).filter((route: Route) => route.permission === 'public') as Route[];

/** Every answer that a token gets, with its headers. */
async function readAll(token: string, spanIds: string[]): Promise<{ status: number; text: string; headers: Headers }[]> {
  const ofOne = (route: Route) => route.id === 'get-shared-span';
  const paths = publicRoutes.flatMap((route) =>
    ofOne(route) ? spanIds.map((id) => pathOf(route.path, {}, { id })) : pathOf(route.path, {}, route.query ? { ids: spanIds.join() } : {}),
  );
  return Promise.all(
    paths.map(async (path) => {
      const response = await cloud.fetch(path, { headers: { 'X-Share-Token': token } });
      return { status: response.status, text: await response.text(), headers: response.headers };
    }),
  );
}

/** Logins end within a day. */
async function signInAgain(): Promise<void> {
  const { email, password, app_id } = tenant;
  const { data } = await cloud.as(null).auth.login({ body: { email, password } });
  tenant = { ...tenant, owner: cloud.as(data.token, app_id) };
}

const statuses = async (token: string) => (await readAll(token, ['a'.repeat(16)])).map(({ status }) => status);

describe('what a link shows', () => {
  it('what is hidden is in no answer of any public route; the same trace without redaction has all of it', async () => {
    const { traceId, spanIds } = await send(tenant);
    const hidden = await readAll((await share(tenant, traceId)).token, spanIds);
    for (const { status, text } of hidden) {
      expect(status).toBe(200);
      expect(text).not.toContain(canary);
      expect(text).not.toContain(String(price));
    }
    const texts = hidden.map(({ text }) => text).join('\n');
    for (const shown of ['root', 'tool', 'gpt-4o']) expect(texts).toContain(shown);
    const open = (await readAll((await share(tenant, traceId, nothing)).token, spanIds)).map(({ text }) => text);
    expect(open.map((text) => text.includes(canary))).toEqual(open.map(() => true));
    for (const text of [...open, texts]) for (const never of [person, ...Object.values(image)]) expect(text).not.toContain(never);
    expect(open.join('\n')).toContain(String(price));
  });

  it('each choice hides its own: contents stay without attributes and costs, and attributes go with either', async () => {
    const { traceId, spanIds } = await send(tenant);
    const textOf = async (hides: ShareLinkHides) => {
      const answers = await readAll((await share(tenant, traceId, hides)).token, spanIds);
      return answers.map(({ text }) => text).join('\n');
    };
    const withoutCosts = await textOf({ ...nothing, costs: true });
    const isIn = (text: string) => [canary, String(price), `"key":"${canary}"`].map((part) => text.includes(part));
    expect(isIn(withoutCosts)).toEqual([true, false, false]);
    const withoutContents = await textOf({ ...nothing, contents: true });
    expect(isIn(withoutContents)).toEqual([false, true, false]);
  });

  it('answers are not kept or indexed, and tell the team and the end of the link', async () => {
    const { traceId, spanIds } = await send(tenant);
    const link = await share(tenant, traceId);
    for (const { headers } of await readAll(link.token, spanIds))
      expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag')]).toEqual([
        ...['no-store', 'no-referrer', 'noindex, nofollow'],
      ]);
    const first = JSON.parse((await readAll(link.token, spanIds))[0]?.text ?? '').data;
    expect([first.tenant_name, first.expires_at, first.trace.id]).toEqual(['acme', link.expires_at, traceId]);
    const [listed] = (await tenant.owner.shareLinks.list({ query: { trace_id: traceId } })).data;
    // Both within a minute.
    expect(listed).toMatchObject({ id: link.id, openings: 1, author_name: tenant.email, state: 'works' });
  });

  it('the token opens nothing else, and is stored and logged nowhere', async () => {
    const [{ traceId }, secret] = [await send(tenant), await send(tenant)];
    const { token } = await share(tenant, traceId);
    for (const path of [`/v1/traces/${traceId}`, `/v1/viewer/traces/${traceId}/outline`, '/v1/share-links']) {
      const headers = { 'X-Share-Token': token, 'X-Service-App-Id': tenant.app_id };
      expect((await cloud.fetch(path, { headers })).status).toBe(401);
    }
    const foreign = await readAll(token, secret.spanIds);
    expect(foreign.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    expect(foreign[1]?.text).toBe('{"data":[]}');
    const files = readdirSync(cloud.dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const file of files)
      expect([file.name, readFileSync(join(file.parentPath, file.name)).includes(token)]).toEqual([file.name, false]);
    const refused = await cloud.fetch('/v1/shared-trace/spans', { headers: { 'X-Share-Token': token } });
    expect([refused.status, (await refused.text()).includes(token)]).toEqual([400, false]);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  });
});

describe('who may', () => {
  it('people who write make links to traces of their app; keys, readers and others do not', async () => {
    const { traceId } = await send(tenant);
    const body = { trace_id: traceId, hides: everything };
    const reader = await addMember(cloud, tenant, 'reader@share.test', 'read');
    const writer = await addMember(cloud, tenant, 'writer@share.test', 'write');
    expect(await codeOf(reader.client.shareLinks.create({ body }))).toBe('403 forbidden');
    expect(await codeOf(tenant.client.shareLinks.create({ body }))).toBe('403 forbidden');
    expect(await codeOf(other.owner.shareLinks.create({ body }))).toBe('404 trace_not_found');
    const { data: link } = await writer.client.shareLinks.create({ body });
    expect(await codeOf(writer.client.shareLinks.changeSettings({ body: { allowed: false } }))).toBe('403 forbidden');
    expect((await other.owner.shareLinks.list({})).data).toEqual([]);
    expect(await codeOf(other.owner.shareLinks.revoke({ params: { linkId: link.id } }))).toBe('404 share_link_not_found');
    await tenant.owner.shareLinks.revoke({ params: { linkId: link.id } });
    const { data: entries } = await tenant.owner.auditLog.list({ query: { limit: 10 } });
    const [entry] = entries.filter(({ action }) => action === 'share_link.create');
    expect(entry?.changes?.map(({ field, after }) => [field, after])).toContainEqual(['hides', 'contents, attributes, costs']);
  });
});

describe('when a link ends', () => {
  it('unknown, expired, revoked and forbidden links, and those of deleted traces, are answered alike', async () => {
    const { traceId } = await send(tenant);
    const [revoked, expired, forbidden] = [
      await share(tenant, traceId),
      await share(tenant, traceId, everything, 1),
      await share(tenant, traceId),
    ];
    const ofDeleted = await share(tenant, (await send(tenant)).traceId);
    await tenant.owner.shareLinks.revoke({ params: { linkId: revoked.id } });
    await tenant.client.traceDeletions.removeTrace({ params: { traceId: ofDeleted.trace_id } });
    now += dayMs;
    await signInAgain();
    await tenant.owner.shareLinks.changeSettings({ body: { allowed: false } });
    expect(await codeOf(share(tenant, traceId))).toBe('403 share_links_not_allowed');
    const stopped = await cloud.fetch('/v1/shared-trace', { headers: { 'X-Share-Token': forbidden.token } });
    await tenant.owner.shareLinks.changeSettings({ body: { allowed: true } });
    const tokens = [revoked.token, expired.token, ofDeleted.token, 'x'.repeat(43), 'x', ''];
    const bodies = [await stopped.text()];
    for (const token of tokens) bodies.push((await readAll(token, []))[0]?.text ?? '');
    expect(bodies[0]).toContain('share_link_not_found');
    expect(new Set(bodies).size).toBe(1);
    for (const { token } of [revoked, ofDeleted]) expect(await statuses(token)).toEqual([404, 404, 404]);
    // Allowed again, the others still work.
    expect((await statuses(forbidden.token))[0]).toBe(200);
  });

  it('a link of a deleted trace stays ended when the trace is sent again', async () => {
    const { traceId } = await send(tenant);
    const { token } = await share(tenant, traceId);
    await tenant.client.traceDeletions.removeTrace({ params: { traceId } });
    expect((await statuses(token))[0]).toBe(404);
    await send(tenant, traceId);
    expect(await statuses(token)).toEqual([404, 404, 404]);
    expect((await tenant.owner.shareLinks.list({ query: { trace_id: traceId } })).data[0]?.state).toBe('revoked');
  });

  it('a link works while its author may make links, and the list tells its state', async () => {
    const { traceId } = await send(tenant);
    const { user_id, client } = await addMember(cloud, tenant, 'author@share.test', 'write');
    const { url } = (await client.shareLinks.create({ body: { trace_id: traceId, hides: everything } })).data;
    const token = url.slice(url.lastIndexOf('/') + 1);
    const seen = async () => [
      (await statuses(token))[0],
      (await tenant.owner.shareLinks.list({ query: { trace_id: traceId } })).data[0]?.state,
    ];
    expect(await seen()).toEqual([200, 'works']);
    const change = (role: 'read' | 'write') => tenant.owner.members.change({ params: { userId: user_id }, body: { role } });
    await change('read');
    expect(await seen()).toEqual([404, 'forbidden']);
    await change('write');
    expect(await seen()).toEqual([200, 'works']);
    await tenant.owner.shareLinks.changeSettings({ body: { allowed: false } });
    expect(await seen()).toEqual([404, 'forbidden']);
    await tenant.owner.shareLinks.changeSettings({ body: { allowed: true } });
    await tenant.owner.members.remove({ params: { userId: user_id } });
    expect(await seen()).toEqual([404, 'forbidden']);
  });

  it('readers are limited by their network', async () => {
    const answers = await Promise.all(Array.from({ length: 250 }, () => cloud.fetch('/v1/shared-trace')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  });
});
