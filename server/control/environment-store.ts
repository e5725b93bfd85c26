import type { z } from 'zod';
import type { environment, environmentDetail } from '../../shared/contract/environments.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';

export type Environment = z.output<typeof environment>;
export type EnvironmentKind = Environment['kind'];
export type EnvironmentDetail = z.output<typeof environmentDetail>;

/**
 * The environments of an app: where its writes are said to come from, and what is deployed there. They are added, changed and removed by
 * sagas (`SagaStore`), except the default one, which comes and goes with the app and follows the deployments of its branch.
 */
export interface EnvironmentStore {
  find(scope: Scope, id: string): Promise<Environment | null>;
  /** With what would go with it. */
  findDetail(scope: Scope, id: string): Promise<EnvironmentDetail | null>;
  /** By name, in whatever case it was written only. */
  findNamed(scope: Scope, name: string): Promise<Environment | null>;
  /** The preview of a pull request. */
  findPreview(scope: Scope, prNumber: number): Promise<Environment | null>;
  /** Every app has one. */
  findDefault(scope: Scope): Promise<Environment | null>;
  /** The default one first, then those created first; with a name only the one that has it, exactly. */
  list(scope: Scope, query: PageQuery & { name?: string | undefined }): Promise<Page<Environment>>;
  /** Those of every app, for whoever hosts them. */
  everywhere(): Promise<{ scope: Scope; environment_id: string }[]>;
}
