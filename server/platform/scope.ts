/** Tenant and app of a call. It comes from the credential only, and is the first argument of every store method. */
export interface Scope {
  tenant_id: string;
  app_id: string;
}

/** The one implicit app of a local gateway. */
export const localScope: Scope = { tenant_id: 'local', app_id: 'local' };

/** For maps by app. */
export const scopeKey = ({ tenant_id, app_id }: Scope): string => `${tenant_id}\0${app_id}`;

export const sameScope = (a: Scope, b: Scope): boolean => a.tenant_id === b.tenant_id && a.app_id === b.app_id;
