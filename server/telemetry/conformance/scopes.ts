import { expect } from 'vitest';
import { aChat, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { Scope } from '../../platform/scope.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const traceId = aTraceId();
const [rootId, callId] = ['00000000000000a1', '00000000000000a2'];

/** Spans with the same ids and attributes in every app; only the texts differ. */
function spansSaying(word: string): object[] {
  const attributes = { 'session.id': 'chat', 'user.id': 'ann', 'agentmark.tags': '["shared"]', 'agentmark.metadata.graph.node.id': word };
  return [
    aSpan({ traceId, spanId: rootId, name: `run ${word}`, attributes: { ...attributes, 'output.value': `${word} `.repeat(2_000) } }),
    aChat({ traceId, spanId: callId, parentSpanId: rootId, reply: word, attributes }),
  ];
}

async function readAll(app: Tenant): Promise<unknown[]> {
  return Promise.all([
    app.everything(),
    app.traces({ tag: 'shared', user_id: 'ann', model: 'gpt-4o' }),
    app.spans({ session_id: 'chat', name: 'RUN' }),
    app.sessions({ search: 'CHAT' }),
    app.io(traceId, rootId),
    app.raw(traceId, callId),
    app.sessionTraces('chat'),
  ]);
}

/** Pairs of scopes that a careless key would confuse. */
const similarScopes = (tenant: string): [string, Scope, Scope][] => [
  ['of two tenants', { tenant_id: `${tenant}1`, app_id: 'app' }, { tenant_id: `${tenant}2`, app_id: 'app' }],
  ['of one tenant', { tenant_id: tenant, app_id: 'one' }, { tenant_id: tenant, app_id: 'two' }],
  ['whose names join to the same text', { tenant_id: `${tenant}x`, app_id: 'yz' }, { tenant_id: `${tenant}xy`, app_id: 'z' }],
  ['whose names differ in case', { tenant_id: `${tenant}case`, app_id: 'App' }, { tenant_id: `${tenant}case`, app_id: 'app' }],
];

export function scopeGuarantees(guarantee: DeclareGuarantee): void {
  for (const [index, [kind]] of similarScopes('').entries()) {
    guarantee(`two apps ${kind} can have the same ids and never see each other’s data`, async ({ tenant }) => {
      const { store, scope } = tenant();
      const [, left, right] = similarScopes(scope.tenant_id)[index] as [string, Scope, Scope];
      const [red, blue] = [new Tenant(store, left), new Tenant(store, right)];
      expect(await red.write(spansSaying('crimson'))).toMatchObject({ accepted: 2, conflicts: [] });
      const before = await readAll(red);
      expect(await blue.everything()).toMatchObject({ traces: { total: 0, data: [] }, spans: { total: 0 }, sessions: { total: 0 } });
      expect([await blue.find(traceId), await blue.io(traceId, rootId), await blue.raw(traceId, callId)]).toEqual([null, null, null]);
      expect([await blue.ofTrace(traceId), await blue.graph(traceId), await blue.sessionTraces('chat')]).toEqual([[], [], []]);

      expect(await blue.write(spansSaying('azure'))).toMatchObject({ accepted: 2, conflicts: [] });
      await blue.write([aSpan({ name: 'more', attributes: { 'session.id': 'chat', 'user.id': 'ann', 'agentmark.tags': '["shared"]' } })]);
      expect(await readAll(red)).toEqual(before);
      expect(JSON.stringify(await readAll(blue))).not.toContain('crimson');
      expect([(await blue.traces()).total, (await blue.spans()).total, (await blue.sessions()).data[0]?.trace_count]).toEqual([2, 3, 2]);
      expect((await blue.traces({ tag: 'shared' })).total).toBe(2);
      expect((await red.traces({ tag: 'shared' })).total).toBe(1);
    });
  }

  guarantee('an app that never wrote anything reads as empty', async ({ tenant }) => {
    const app = tenant();
    expect(await app.everything()).toEqual({
      traces: { total: 0, data: [] },
      spans: { total: 0, data: [] },
      sessions: { total: 0, data: [] },
      details: [],
      ofTraces: [],
      payloads: [],
      graphs: [],
      sessionTraces: [],
    });
  });

  guarantee('a text that two apps share is read by both', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    for (const app of [red, blue]) await app.write(spansSaying('same'));
    expect(await blue.io(traceId, rootId)).toEqual(await red.io(traceId, rootId));
    expect((await blue.io(traceId, rootId))?.output).toBe('same '.repeat(2_000));
  });
}
