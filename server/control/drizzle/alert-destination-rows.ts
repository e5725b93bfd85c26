import { and, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { AlertDestinationStore, StoredSlack, StoredWebhook } from '../alert-destination-store.ts';
import type { AuditEntry, ControlDatabase } from './control-database.ts';
import { alertSlack, alertWebhooks } from './schema/alerts.ts';

type Change<T> = Omit<T, 'updated_at' | 'updated_by'>;

export class AlertDestinationRows implements AlertDestinationStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async findWebhook(scope: Scope, environmentId: string): Promise<StoredWebhook | null> {
    return this.#webhook(scope, environmentId);
  }

  async putWebhook(
    by: Actor,
    scope: Scope,
    environment_id: string,
    change: (current: StoredWebhook | null) => Omit<Change<StoredWebhook>, 'environment_id'>,
  ): Promise<StoredWebhook> {
    return this.#database.write(auditEntry(by, scope, 'alert_webhook.put', environment_id), (write, updated_at) => {
      const before = this.#webhook(scope, environment_id);
      const set = { ...change(before), updated_at, updated_by: signatureOf(by) };
      const row = { environment_id, tenant_id: scope.tenant_id, app_id: scope.app_id, ...set };
      write.insert(alertWebhooks).values(row).onConflictDoUpdate({ target: alertWebhooks.environment_id, set }).run();
      return { result: { environment_id, ...set }, before, after: { environment_id, ...set } };
    });
  }

  async removeWebhook(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    return this.#database.write(auditEntry(by, scope, 'alert_webhook.delete', environmentId), (write) => {
      const before = this.#webhook(scope, environmentId);
      if (!before) return { result: false, unchanged: true };
      write.delete(alertWebhooks).where(isWebhook(scope, environmentId)).run();
      return { result: true, before };
    });
  }

  async findSlack(scope: Scope): Promise<StoredSlack | null> {
    return this.#slack(scope);
  }

  async putSlack(
    by: Actor,
    scope: Scope,
    change: (current: StoredSlack | null) => Change<StoredSlack> | null,
  ): Promise<StoredSlack | null> {
    return this.#database.write(auditEntry(by, scope, 'alert_slack.put', scope.app_id), (write, updated_at) => {
      const before = this.#slack(scope);
      const slack = change(before);
      if (!slack) return { result: null, unchanged: true };
      const set = { ...slack, updated_at, updated_by: signatureOf(by) };
      write
        .insert(alertSlack)
        .values({ tenant_id: scope.tenant_id, app_id: scope.app_id, ...set })
        .onConflictDoUpdate({ target: alertSlack.app_id, set })
        .run();
      return { result: set, before, after: set };
    });
  }

  async removeSlack(by: Actor, scope: Scope): Promise<boolean> {
    return this.#database.write(auditEntry(by, scope, 'alert_slack.delete', scope.app_id), (write) => {
      const before = this.#slack(scope);
      if (!before) return { result: false, unchanged: true };
      write.delete(alertSlack).where(isSlack(scope)).run();
      return { result: true, before };
    });
  }

  #webhook(scope: Scope, environmentId: string): StoredWebhook | null {
    const row = this.#database.queries.select().from(alertWebhooks).where(isWebhook(scope, environmentId)).get();
    if (!row) return null;
    const { tenant_id, app_id, ...webhook } = row;
    return webhook;
  }

  #slack(scope: Scope): StoredSlack | null {
    const row = this.#database.queries.select().from(alertSlack).where(isSlack(scope)).get();
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
