import { and, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { AlertDestinationStore, StoredSlack, StoredWebhook } from '../alert-destination-store.ts';
import { type AuditEntry, type ControlDatabase, conflictOn, type Reads } from './control-database.ts';
import { alertSlack, alertWebhooks } from './schema/alerts.ts';

type Change<T> = Omit<T, 'updated_at' | 'updated_by'>;

export class AlertDestinationRows implements AlertDestinationStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async findWebhook(scope: Scope, environmentId: string): Promise<StoredWebhook | null> {
    return this.#webhook(this.#database.queries, scope, environmentId);
  }

  async putWebhook(
    by: Actor,
    scope: Scope,
    environment_id: string,
    change: (current: StoredWebhook | null) => Omit<Change<StoredWebhook>, 'environment_id'>,
  ): Promise<StoredWebhook> {
    return this.#database.write(auditEntry(by, scope, 'alert_webhook.put', environment_id), async (write, updated_at) => {
      const before = await this.#webhook(write, scope, environment_id);
      const set = { ...change(before), updated_at, updated_by: signatureOf(by) };
      const row = { environment_id, tenant_id: scope.tenant_id, app_id: scope.app_id, ...set };
      await write
        .insert(alertWebhooks)
        .values(row)
        .onConflictDoUpdate({ target: conflictOn(alertWebhooks.environment_id), set })
        .run();
      return { result: { environment_id, ...set }, before, after: { environment_id, ...set } };
    });
  }

  async removeWebhook(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    return this.#database.write(auditEntry(by, scope, 'alert_webhook.delete', environmentId), async (write) => {
      const before = await this.#webhook(write, scope, environmentId);
      if (!before) return { result: false, unchanged: true };
      await write.delete(alertWebhooks).where(isWebhook(scope, environmentId)).run();
      return { result: true, before };
    });
  }

  async findSlack(scope: Scope): Promise<StoredSlack | null> {
    return this.#slack(this.#database.queries, scope);
  }

  async putSlack(
    by: Actor,
    scope: Scope,
    change: (current: StoredSlack | null) => Change<StoredSlack> | null,
  ): Promise<StoredSlack | null> {
    return this.#database.write(auditEntry(by, scope, 'alert_slack.put', scope.app_id), async (write, updated_at) => {
      const before = await this.#slack(write, scope);
      const slack = change(before);
      if (!slack) return { result: null, unchanged: true };
      const set = { ...slack, updated_at, updated_by: signatureOf(by) };
      await write
        .insert(alertSlack)
        .values({ tenant_id: scope.tenant_id, app_id: scope.app_id, ...set })
        .onConflictDoUpdate({ target: conflictOn(alertSlack.app_id), set })
        .run();
      return { result: set, before, after: set };
    });
  }

  async removeSlack(by: Actor, scope: Scope): Promise<boolean> {
    return this.#database.write(auditEntry(by, scope, 'alert_slack.delete', scope.app_id), async (write) => {
      const before = await this.#slack(write, scope);
      if (!before) return { result: false, unchanged: true };
      await write.delete(alertSlack).where(isSlack(scope)).run();
      return { result: true, before };
    });
  }

  async #webhook(queries: Reads, scope: Scope, environmentId: string): Promise<StoredWebhook | null> {
    const row = await queries.select().from(alertWebhooks).where(isWebhook(scope, environmentId)).get();
    if (!row) return null;
    const { tenant_id, app_id, ...webhook } = row;
    return webhook;
  }

  async #slack(queries: Reads, scope: Scope): Promise<StoredSlack | null> {
    const row = await queries.select().from(alertSlack).where(isSlack(scope)).get();
    if (!row) return null;
    const { tenant_id, app_id, ...stored } = row;
    return stored;
  }
}

const auditEntry = (by: Actor, { tenant_id, app_id }: Scope, action: string, target: string): AuditEntry => ({
  by,
  tenant_id,
  app_id,
  action,
  target,
});

const isWebhook = ({ tenant_id, app_id }: Scope, environmentId: string) =>
  and(eq(alertWebhooks.tenant_id, tenant_id), eq(alertWebhooks.app_id, app_id), eq(alertWebhooks.environment_id, environmentId));

const isSlack = ({ tenant_id, app_id }: Scope) => and(eq(alertSlack.tenant_id, tenant_id), eq(alertSlack.app_id, app_id));
