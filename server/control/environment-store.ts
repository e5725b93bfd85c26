import type { z } from 'zod';
import type { environment } from '../../shared/contract/environments.ts';
import type { Scope } from '../platform/scope.ts';

export type Environment = z.output<typeof environment>;
export type EnvironmentKind = Environment['kind'];

/** The environments of an app: where its writes are said to come from, and what is deployed there. */
export interface EnvironmentStore {
  find(scope: Scope, id: string): Promise<Environment | null>;
  /** By name, in whatever case it was written only. */
  findNamed(scope: Scope, name: string): Promise<Environment | null>;
  /** The preview of a pull request. */
  findPreview(scope: Scope, prNumber: number): Promise<Environment | null>;
  /** Every app has one. */
  findDefault(scope: Scope): Promise<Environment | null>;
}
