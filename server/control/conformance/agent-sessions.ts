import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { AgentEvent, AgentPart, AgentRefusal, RecordResult } from '../agent-session-store.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, anApp, aTenant, by } from './records.ts';

const startedAt = '2026-01-01T00:00:00.000Z';

const anEvent = (seq: number, rest: Partial<AgentEvent> = {}): AgentEvent => ({
  ...({ seq, type: 'user', timestamp: startedAt, ...rest } as AgentEvent),
});

const partOf = (session_id: string, events: readonly AgentEvent[], rest: Partial<AgentPart> = {}): AgentPart => ({
  ...{ about: { session_id, agent: 'a', started_at: startedAt }, trace_id: `trace of ${session_id}`, events, blobs: [] },
  ...{ attribution: { name: 'dev', version: 1 }, quota: { events: true, bytes: null } },
  ...rest,
});

const aBlob = (sha256: string) => ({ sha256, media_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) });

async function record(control: ControlStore, scope: Scope, part: AgentPart): Promise<RecordResult> {
  const recorded = await control.agentSessions.record(by, scope, part);
  if ('refused' in recorded) throw new Error(`refused: ${recorded.refused}`);
  return recorded;
}

const isRefused = (result: RecordResult | AgentRefusal): result is AgentRefusal => 'refused' in result;
const bytesOf = (event: AgentEvent): number => Buffer.byteLength(JSON.stringify(event));

export function agentSessionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('an event and a blob count once, however many send them at once', async ({ control, race }) => {
    const scope = await anApp(control);
    const results = await race((store, index) =>
      record(store, scope, partOf('s', [anEvent(0), anEvent(index % 4), anEvent(9)], { blobs: [aBlob('f'), aBlob('f')] })),
    );
    const sum = (what: 'events_added' | 'blobs_added') => results.values.reduce((total, each) => total + each[what], 0);
    expect([results.errors, sum('events_added'), sum('blobs_added')]).toEqual([[], 5, 1]);
    expect(results.values.filter(({ isNew }) => isNew)).toHaveLength(1);
    const session = must(await control.agentSessions.find(scope, 's'), 'it was recorded');
    expect(session.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 9]);
    const stored = session.events.reduce((bytes, event) => bytes + bytesOf(event), 3);
    expect(await control.agentSessions.storedBytes(scope.tenant_id)).toBe(stored);
    const parts = await control.agentSessions.pending(0, 100, { scope, session_id: 's' });
    const contents = await Promise.all(parts.map((part) => control.agentSessions.contents(part)));
    const seqs = contents.flatMap((each) => each?.events.map(({ seq }) => seq) ?? []);
    expect(seqs.sort()).toEqual([0, 1, 2, 3, 9]);
  });

  guarantee('the first report of an event counts', async ({ control }) => {
    const scope = await anApp(control);
    await record(control, scope, partOf('s', [anEvent(0, { type: 'tool_call' })]));
    expect(await record(control, scope, partOf('s', [anEvent(0)]))).toMatchObject({ isNew: false, events_added: 0 });
    expect((await control.agentSessions.find(scope, 's'))?.events).toEqual([anEvent(0, { type: 'tool_call' })]);
    expect(await control.agentSessions.find(scope, 'none')).toBeNull();
  });

  guarantee('a tenant stays within its bytes, over all its apps and however many send at once', async ({ control, race }) => {
    const tenantId = await aTenant(control);
    const scopes = [await anApp(control, tenantId), await anApp(control, tenantId)];
    const bytes = bytesOf(anEvent(0));
    const quota = { events: true, bytes: 7 * bytes + 1 };
    const { values, errors } = await race(({ agentSessions }, index) =>
      agentSessions.record(by, scopes[index % 2] as Scope, partOf(`s${index}`, [anEvent(0)], { quota })),
    );
    expect([errors, values.filter((result) => !isRefused(result)).length]).toEqual([[], 7]);
    expect(values.filter(isRefused).every(({ refused }) => refused === 'bytes')).toBe(true);
    expect(await control.agentSessions.storedBytes(tenantId)).toBe(7 * bytes);
    const recorded = values.findIndex((result) => !isRefused(result));
    const again = partOf(`s${recorded}`, [anEvent(0)], { quota: { events: false, bytes: 0 } });
    expect(await record(control, scopes[recorded % 2] as Scope, again)).toMatchObject({ events_added: 0 });
  });

  guarantee('a part is refused as a whole, for what its check says', async ({ control }) => {
    const scope = await anApp(control);
    const refusals: [AgentPart, AgentRefusal['refused'] | null][] = [
      [partOf('s', [anEvent(0)], { quota: { events: false, bytes: null } }), 'events'],
      [partOf('s', [anEvent(0)], { quota: { events: true, bytes: 10 } }), 'bytes'],
      [partOf('s', [], { blobs: [aBlob('f')], quota: { events: true, bytes: 2 } }), 'bytes'],
      [partOf('s', [], { quota: { events: false, bytes: null } }), null],
    ];
    for (const [part, refused] of refusals) {
      expect(await control.agentSessions.check(scope, part)).toEqual(refused && { refused });
      if (refused) expect(await control.agentSessions.record(by, scope, part)).toEqual({ refused });
    }
    const large = anEvent(0, { text: 'x'.repeat(33 * 1024 * 1024) });
    expect(await control.agentSessions.record(by, scope, partOf('s', [large]))).toEqual({ refused: 'size' });
    expect([await control.agentSessions.find(scope, 's'), await control.agentSessions.storedBytes(scope.tenant_id)]).toEqual([null, 0]);
  });

  guarantee('the first value of a property stays, the start is the earliest and the end the latest', async ({ control }) => {
    const scope = await anApp(control);
    const about = (rest: Partial<AgentPart['about']>) => partOf('s', [], { about: { ...partOf('s', []).about, ...rest } });
    const [early, late] = ['2025-12-31T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    await record(control, scope, about({ title: 'first', ended_at: late }));
    await record(control, scope, about({ title: 'second', model: 'm', started_at: early, ended_at: startedAt }));
    const { events: _, ...session } = must(await control.agentSessions.find(scope, 's'), 'it was recorded');
    expect(session).toMatchObject({ title: 'first', model: 'm', started_at: early, ended_at: late });
    expect(session).not.toHaveProperty('repo');
    await record(control, scope, partOf('t', []));
    const listed = await control.agentSessions.list(scope, { limit: 1, offset: 1 });
    expect([listed.total, listed.data]).toEqual([2, [session]]);
    expect((await control.agentSessions.list(scope, all)).data.map(({ session_id }) => session_id)).toEqual(['t', 's']);
  });

  guarantee('a blob is found in its app only', async ({ control }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    await record(control, scope, partOf('s', [], { blobs: [aBlob('f')] }));
    const found = must(await control.agentSessions.findBlob(scope, 'f'), 'it was recorded');
    expect({ ...found, bytes: new Uint8Array(found.bytes) }).toEqual(aBlob('f'));
    expect(await control.agentSessions.findBlob(other, 'f')).toBeNull();
  });

  guarantee('a part is pending, in order and with what its spans need, until it has arrived', async ({ control }) => {
    const scope = await anApp(control);
    const call = (seq: number, tool_call_id: string) => anEvent(seq, { type: 'tool_call', tool_call_id });
    const result = anEvent(2, { type: 'tool_result', tool_call_id: 'c' });
    await record(control, scope, partOf('s', [call(0, 'c'), call(1, 'lost')]));
    await record(control, scope, partOf('s', [result]));
    await record(control, scope, partOf('s', [], { about: { ...partOf('s', []).about, ended_at: startedAt } }));
    const of = { scope, session_id: 's' };
    const parts = await control.agentSessions.pending(0, 100, of);
    expect(parts).toMatchObject([1, 2, 3].map((revision) => ({ ...of, revision, attribution: { name: 'dev', version: 1 } })));
    const [, second, last] = parts as [(typeof parts)[number], (typeof parts)[number], (typeof parts)[number]];
    expect(await control.agentSessions.pending(second.position, 1, of)).toEqual([last]);
    const everywhere = await control.agentSessions.pending((parts[0]?.position ?? 0) - 1, 10_000);
    expect(everywhere.filter((part) => part.scope.app_id === scope.app_id)).toEqual(parts);
    expect(await control.agentSessions.contents(second)).toMatchObject({
      ...{ events: [result], counterparts: [call(0, 'c'), result], preceding: [call(0, 'c'), call(1, 'lost')] },
      unanswered: [call(1, 'lost')],
    });
    for (let time = 0; time < 2; time++) await control.agentSessions.arrived(second.position);
    expect(await control.agentSessions.pending(0, 100, of)).toEqual([parts[0], last]);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await control.agentSessions.contents(last)).toBeNull();
    expect(await control.agentSessions.pending(0, 100, { ...of, session_id: randomUUID() })).toEqual([]);
  });
}
