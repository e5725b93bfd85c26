import type { z } from 'zod';
import type { environment, environmentDetail } from '../../shared/contract/projects/environments.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';

export type Environment = z.output<typeof environment>;
export type EnvironmentKind = Environment['kind'];
export type EnvironmentDetail = z.output<typeof environmentDetail>;

/**
 * Environments of an app, with their deployments. They are created, changed and removed by sagas (`SagaStore`), except the default one, which
 * exists as long as the app and follows the deployments of its branch.
 */
export interface EnvironmentStore {
  find(scope: Scope, id: string): Promise<Environment | null>;
  /** With the records that its removal would delete. */
  findDetail(scope: Scope, id: string): Promise<EnvironmentDetail | null>;
  /** By name, case-sensitive. */
  findNamed(scope: Scope, name: string): Promise<Environment | null>;
  /** The preview of a pull request. */
  findPreview(scope: Scope, prNumber: number): Promise<Environment | null>;
  /** Every app has one. */
  findDefault(scope: Scope): Promise<Environment | null>;
  /** The default one first, then by creation; with a name, only an exact match. */
  list(scope: Scope, query: PageQuery & { name?: string | undefined }): Promise<Page<Environment>>;
  /** Environments of all apps, for the hosting. */
  listAllApps(): Promise<{ scope: Scope; environment_id: string }[]>;
}
