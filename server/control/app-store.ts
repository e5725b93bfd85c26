import type { z } from 'zod';
import type { app } from '../../shared/contract/identity/apps.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Actor } from './actor.ts';

export type App = z.output<typeof app>;
export type AppDraft = Pick<App, 'name' | 'display_name' | 'runtime' | 'entry_point'>;

/** Absent properties stay unchanged. */
export type AppChange = { [K in keyof AppDraft]?: AppDraft[K] | undefined };

/** Apps of a tenant. Apps of other tenants are not found. */
export interface AppStore {
  /**
   * With its default environment, in one transaction.
   * @param max number of apps that the tenant may have; null for no limit
   * @throws LimitReached, or else Duplicate when the tenant has an app of that name
   */
  create(by: Actor, tenantId: string, draft: AppDraft, max: number | null): Promise<App>;
  find(tenantId: string, appId: string): Promise<App | null>;
  /** Those of these apps that exist, of any tenant. */
  existing(appIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Newest first; with a name, only an exact match. */
  list(tenantId: string, query: PageQuery & { name?: string | undefined }): Promise<Page<App>>;
  /** @throws Duplicate when the tenant has an app of the new name */
  update(by: Actor, tenantId: string, appId: string, change: AppChange): Promise<App | null>;
  /**
   * Removes an app with all its records in this store. Its telemetry is erased afterwards (`ControlStore.appErasures`). False for an unknown
   * app.
   */
  remove(by: Actor, tenantId: string, appId: string): Promise<boolean>;
}
