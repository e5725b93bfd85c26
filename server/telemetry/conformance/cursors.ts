import { expect } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { TelemetryStore } from '../store.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id).sort();

/** None of them was ever a cursor. */
const madeUp = ['', '0', '12345', 'cursor', '-'.repeat(32), '0'.repeat(32), 'f'.repeat(32), 'f'.repeat(200)];

export function cursorGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('the cursor of a list holds wherever the same data is opened', async ({ location }) => {
    const shared = location();
    const [early, late] = [aTraceId(), aTraceId()];
    const open = <T>(use: (app: Tenant) => Promise<T>) => whileOpen(shared, (store: TelemetryStore) => use(new Tenant(store, scope)));
    const { arrived } = await open(async (app) => {
      // Of others, so that cursors do not happen to be numbers from 1.
      await new Tenant(app.store).write(Array.from({ length: 5 }, () => aSpan()));
      await app.write([aSpan({ traceId: early })]);
      return app.listed();
    });
    await open((app) => app.write([aSpan({ traceId: late })]));
    await open(async (app) => {
      expect(idsOf(await app.listed({ arrived }))).toEqual([early]);
      expect(idsOf(await app.listed({ arrived_after: arrived }))).toEqual([late]);
    });
  });

  guarantee('a search in a trace continues wherever the same data is opened', async ({ location }) => {
    const shared = location();
    const traceId = aTraceId();
    const spanIds = Array.from({ length: 1500 }, () => aSpanId());
    await whileOpen(shared, async (store) => {
      const ask = 'x'.repeat(20_000);
      for (let from = 0; from < spanIds.length; from += 100)
        await new Tenant(store, scope).write(spanIds.slice(from, from + 100).map((spanId) => aChat({ traceId, spanId, ask })));
    });
    const found: string[] = [];
    let after: string | null = null;
    const readPage = async (store: TelemetryStore) => {
      const page = await store.spans.find(scope, traceId, 'XXX', after);
      const { ids, next } = page?.decode() ?? { ids: [], next: null };
      found.push(...ids);
      after = next;
    };
    await whileOpen(shared, readPage);
    await whileOpen(shared, async (store) => {
      while (after !== null) await readPage(store);
    });
    expect(found.sort()).toEqual(spanIds.sort());
  });

  guarantee('the cursor of an empty list holds when the first traces arrive', async ({ tenant }) => {
    const app = tenant();
    const { arrived } = await app.listed();
    await app.write([aSpan(), aSpan()]);
    expect([(await app.listed({ arrived })).total, (await app.listed({ arrived_after: arrived })).total]).toEqual([0, 2]);
  });

  guarantee('no cursor is known but those that the app was given for the same kind of list', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const traceId = aTraceId();
    await app.write([aSpan({ traceId })]);
    await other.write([aSpan()]);
    const [own, foreign] = [await app.listed(), await other.listed()];
    expect(own.arrived).not.toBe(foreign.arrived);
    const list = (query: object) => app.store.traceList.list(app.scope, { limit: 10, offset: 0, sort_by: 'start_time', ...query } as never);
    for (const cursor of [...madeUp, foreign.arrived, `${own.arrived}0`, own.arrived.slice(1)]) {
      expect([cursor, await list({ arrived: cursor }), await list({ arrived_after: cursor })]).toEqual([cursor, null, null]);
      expect([cursor, await app.store.spans.find(app.scope, traceId, 'word', cursor)]).toEqual([cursor, null]);
    }
    expect(await app.store.spans.find(app.scope, traceId, 'word', own.arrived)).toBe(null);
  });
}
