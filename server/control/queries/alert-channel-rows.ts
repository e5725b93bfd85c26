import { and, asc, eq, like } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { AlertChannelStore, StoredChannel } from '../alert-channel-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { type ControlDatabase, countRows, orDuplicate, type Queries, type Reads } from './control-database.ts';
import { alertChannels, alerts } from './schema/alerts.ts';

type Row = typeof alertChannels.$inferSelect;

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(alertChannels.tenant_id, tenant_id), eq(alertChannels.app_id, app_id));
const isChannel = (scope: Scope, id: string) => and(ofApp(scope), eq(alertChannels.id, id));

const asChannel = ({ tenant_id, app_id, ...channel }: Row): StoredChannel => channel;

const find = async (reads: Reads, scope: Scope, id: string): Promise<StoredChannel | null> => {
  const row = await reads.select().from(alertChannels).where(isChannel(scope, id)).get();
  return row ? asChannel(row) : null;
};

const auditEntry = (by: Actor, { tenant_id, app_id }: Scope, verb: string, target: string) => ({
  ...{ by, tenant_id, app_id, action: `alert_channel.${verb}`, target },
});

export class AlertChannelRows implements AlertChannelStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async list(scope: Scope): Promise<StoredChannel[]> {
    const rows = this.#database.queries.select().from(alertChannels).where(ofApp(scope)).orderBy(asc(alertChannels.name));
    return (await rows.all()).map(asChannel);
  }

  async find(scope: Scope, id: string): Promise<StoredChannel | null> {
    return find(this.#database.queries, scope, id);
  }

  async create(by: Actor, scope: Scope, draft: Parameters<AlertChannelStore['create']>[2], max: number): Promise<StoredChannel> {
    return this.#database.write(auditEntry(by, scope, 'create', draft.id), async (write, created_at) => {
      assertBelow(max, await countRows(write, alertChannels, ofApp(scope)));
      const channel = { ...draft, created_at, created_by: signatureOf(by), updated_at: null, updated_by: null };
      const { tenant_id, app_id } = scope;
      await orDuplicate('channel', draft.name, () =>
        write
          .insert(alertChannels)
          .values({ ...channel, tenant_id, app_id })
          .run(),
      );
      return { result: channel, after: channel };
    });
  }

  async change(by: Actor, scope: Scope, id: string, next: Parameters<AlertChannelStore['change']>[3]): Promise<StoredChannel | null> {
    return this.#database.write<StoredChannel | null>(auditEntry(by, scope, 'update', id), async (write, updated_at) => {
      const before = await find(write, scope, id);
      if (!before) return { result: null, unchanged: true };
      const { name, shown, sealed } = next(before);
      const set = { name, shown, sealed, updated_at, updated_by: signatureOf(by) };
      await orDuplicate('channel', name, () => write.update(alertChannels).set(set).where(isChannel(scope, id)).run());
      const after = { ...before, ...set };
      return { result: after, before, after };
    });
  }

  async remove(by: Actor, scope: Scope, id: string): Promise<boolean> {
    return this.#database.write(auditEntry(by, scope, 'delete', id), async (write) => {
      const before = await find(write, scope, id);
      if (!before) return { result: false, unchanged: true };
      await takeFromAlerts(write, scope, id);
      await write.delete(alertChannels).where(isChannel(scope, id)).run();
      return { result: true, before };
    });
  }
}

async function takeFromAlerts(write: Queries, { tenant_id, app_id }: Scope, channelId: string): Promise<void> {
  const isOfApp = and(eq(alerts.tenant_id, tenant_id), eq(alerts.app_id, app_id));
  const naming = await write
    .select({ id: alerts.id, channel_ids: alerts.channel_ids })
    .from(alerts)
    .where(and(isOfApp, like(alerts.channel_ids, `%${channelId}%`)))
    .all();
  for (const { id, channel_ids } of naming) {
    const set = { channel_ids: (channel_ids ?? []).filter((other) => other !== channelId) };
    await write
      .update(alerts)
      .set(set)
      .where(and(isOfApp, eq(alerts.id, id)))
      .run();
  }
}
