import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { Alert, AlertStore } from '../alert-store.ts';
import { insertLate } from './alert-outbox-rows.ts';
import { type ControlDatabase, countRows, orDuplicate, type Reads } from './control-database.ts';
import { alertHistory, alerts } from './schema/alerts.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(alerts.tenant_id, tenant_id), eq(alerts.app_id, app_id));

const unattended = { muted_until: null, muted_by: null, acknowledged_at: null, acknowledged_by: null, is_silenced: false } as const;

const isMine = (scope: Scope, id: string) => and(ofApp(scope), eq(alerts.id, id));
export const asAlert = ({ is_silenced, channel_ids, ...row }: typeof alerts.$inferSelect): Alert => ({
  ...{ ...row, is_silenced: is_silenced ?? false, channel_ids: channel_ids ?? [] },
});
const find = async (queries: Reads, scope: Scope, id: string): Promise<Alert | null> => {
  const row = await queries.select().from(alerts).where(isMine(scope, id)).get();
  return row ? asAlert(row) : null;
};
const auditEntry = (by: Actor, scope: Scope, verb: string, target: string) => ({
  ...{ by, tenant_id: scope.tenant_id, app_id: scope.app_id, action: `alert.${verb}`, target },
});

export function alertRows(database: ControlDatabase): AlertStore {
  const { queries } = database;
  return {
    create: async (by, scope, draft) => {
      const id = randomUUID();
      return database.write(auditEntry(by, scope, 'create', id), async (write, created_at) => {
        const initial = { status: 'resolved', commit_sha: null, created_at, created_by: signatureOf(by) } as const;
        const row = { ...draft, ...initial, id, ...scope, updated_at: null, updated_by: null, ...unattended };
        await orDuplicate('alert', draft.name, () => write.insert(alerts).values(row).run());
        return { result: row, after: row };
      });
    },

    find: async (scope, id) => find(queries, scope, id),

    list: async (scope, { limit, offset, status, metric, environment_id, owner_id }) => {
      const filter = and(
        ofApp(scope),
        status && eq(alerts.status, status),
        metric && eq(alerts.metric, metric),
        environment_id === undefined ? undefined : eq(alerts.environment_id, environment_id),
        owner_id === undefined ? undefined : eq(alerts.owner_id, owner_id),
      );
      const page = queries.select().from(alerts).where(filter).orderBy(desc(alerts.created_at), alerts.id);
      return { data: (await page.limit(limit).offset(offset).all()).map(asAlert), total: await countRows(queries, alerts, filter) };
    },

    replace: async (by, scope, id, draft) =>
      database.write(auditEntry(by, scope, 'update', id), async (write, updated_at) => {
        const before = await find(write, scope, id);
        if (!before) return { result: null, unchanged: true };
        const set = { ...draft, id, ...scope, updated_at, updated_by: signatureOf(by) };
        await orDuplicate('alert', draft.name, () => write.update(alerts).set(set).where(isMine(scope, id)).run());
        const after = await find(write, scope, id);
        return { result: after, before, after };
      }),

    ...attentionRows(database),

    remove: async (by, scope, id) =>
      database.write(auditEntry(by, scope, 'delete', id), async (write) => {
        const before = await find(write, scope, id);
        if (!before) return { result: false, unchanged: true };
        await write.delete(alerts).where(isMine(scope, id)).run();
        return { result: true, before };
      }),

    history: async ({ tenant_id, app_id }, alertId, { limit, offset }) => {
      const mine = and(eq(alertHistory.tenant_id, tenant_id), eq(alertHistory.app_id, app_id), eq(alertHistory.alert_id, alertId));
      const page = queries.select().from(alertHistory).where(mine).orderBy(desc(alertHistory.created_at), desc(alertHistory.id));
      return { data: await page.limit(limit).offset(offset).all(), total: await countRows(queries, alertHistory, mine) };
    },
  };
}

const attentionRows = (database: ControlDatabase): Pick<AlertStore, 'mute' | 'acknowledge'> => ({
  mute: async (by, scope, id, until) =>
    database.write<Alert | 'resolved' | null>(auditEntry(by, scope, until === null ? 'unmute' : 'mute', id), async (write) => {
      const before = await find(write, scope, id);
      if (!before) return { result: null, unchanged: true };
      if (until === 'resolved' && before.status === 'resolved') return { result: 'resolved', unchanged: true };
      if (before.muted_until === until) return { result: before, unchanged: true };
      const set = { muted_until: until, muted_by: until === null ? null : signatureOf(by) };
      await write.update(alerts).set(set).where(isMine(scope, id)).run();
      const after = { ...before, ...set };
      return { result: after, before, after };
    }),

  acknowledge: async (by, scope, id, notices = []) =>
    database.write<Alert | 'resolved' | null>(auditEntry(by, scope, 'acknowledge', id), async (write, acknowledged_at) => {
      const before = await find(write, scope, id);
      if (!before) return { result: null, unchanged: true };
      if (before.status === 'resolved') return { result: 'resolved', unchanged: true };
      if (before.acknowledged_at !== null) return { result: before, unchanged: true };
      const set = { acknowledged_at, acknowledged_by: signatureOf(by) };
      await write.update(alerts).set(set).where(isMine(scope, id)).run();
      if (!before.is_silenced && notices.length > 0) await insertLate(write, before, acknowledged_at, notices);
      const after = { ...before, ...set };
      return { result: after, before, after };
    }),
});
