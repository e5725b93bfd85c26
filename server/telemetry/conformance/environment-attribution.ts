import { expect } from 'vitest';
import { aChat, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';
import { arrivalMs, batchOf } from './batch-of.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const window = { from_ms: 0, to_ms: arrivalMs };

/** Number of calls that belong to an environment. */
const callsOf = async ({ store, scope }: Tenant, environment: string): Promise<number> =>
  (await store.windows.requests(scope, { ...window, environment })).decode().count;

const write = ({ store, scope }: Tenant, sent: object[], attribution: EnvironmentAttribution | null) =>
  store.writer.write(scope, batchOf(sent, arrivalMs, [], attribution));

const claims = { attributes: { 'deployment.environment': 'production' } };
const staging = { name: 'staging', version: 3 };

export function attributionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a span belongs to the environment of its credential, whatever it claims', async ({ tenant }) => {
    const app = tenant();
    await write(app, [aChat(claims)], staging);
    expect([await callsOf(app, 'staging'), await callsOf(app, 'production')]).toEqual([1, 0]);
    await write(app, [aChat(claims)], { name: '', version: null });
    expect([await callsOf(app, 'staging'), await callsOf(app, 'production')]).toEqual([1, 0]);
    await write(app, [aChat(claims)], null);
    expect([await callsOf(app, 'staging'), await callsOf(app, 'production')]).toEqual([1, 1]);
  });

  guarantee('a span that is sent again with another attribution changes nothing', async ({ tenant }) => {
    const app = tenant();
    const sent = [aChat()];
    await write(app, sent, staging);
    expect(await write(app, sent, { name: 'staging', version: 4 })).toEqual({ accepted: 0, duplicates: 1, conflicts: [] });
    expect(await callsOf(app, 'staging')).toBe(1);
  });

  guarantee('the attribution stays when the columns of a span are derived again', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    const pendingId = aSpanId();
    await write(
      app,
      [aChat({ ...claims, traceId }), { ...aChat({ ...claims, traceId, spanId: pendingId }), endTimeUnixNano: '0' }],
      staging,
    );
    // The final record has fewer values than the pending one, so the terms of the trace are derived again.
    await write(app, [aChat({ traceId, spanId: pendingId })], null);
    expect([await callsOf(app, 'staging'), await callsOf(app, 'production')]).toEqual([2, 0]);
  });
}
