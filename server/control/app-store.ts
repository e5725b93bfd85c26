import type { z } from 'zod';
import type { app } from '../../shared/contract/apps.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Actor } from './actor.ts';

export type App = z.output<typeof app>;
export type AppDraft = Pick<App, 'name' | 'display_name' | 'runtime' | 'entry_point'>;

/** What is absent stays as it is. */
export type AppChange = { [K in keyof AppDraft]?: AppDraft[K] | undefined };

/** The apps of a tenant. An app of another tenant is like one that never was. */
export interface AppStore {
  /**
   * With its default environment, in one transaction.
   * @throws Duplicate when the tenant has an app of that name
   */
  create(by: Actor, tenantId: string, draft: AppDraft): Promise<App>;
  find(tenantId: string, appId: string): Promise<App | null>;
  /** Newest first; with a name only the one that has it, exactly. */
  list(tenantId: string, query: PageQuery & { name?: string | undefined }): Promise<Page<App>>;
  /** @throws Duplicate when the tenant has an app of the new name */
  update(by: Actor, tenantId: string, appId: string, change: AppChange): Promise<App | null>;
  /** With everything that is kept of it here. False when there is none. */
  /** What the app has in the telemetry follows (`ControlStore.appErasures`). */
  remove(by: Actor, tenantId: string, appId: string): Promise<boolean>;
}
