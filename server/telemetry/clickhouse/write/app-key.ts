import type { Scope } from '../../../platform/scope.ts';

/** An app as a key of maps. */
export const appKey = ({ tenant_id, app_id }: Scope): string => JSON.stringify([tenant_id, app_id]);

export function appOfKey(key: string): Scope {
  const [tenant_id, app_id] = JSON.parse(key) as [string, string];
  return { tenant_id, app_id };
}
