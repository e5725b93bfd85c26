import type { IncomingMessage } from 'node:http';
import type { Route } from '../../shared/contract/core/route.ts';
import type { Permission } from '../../shared/contract/identity/permissions.ts';
import type { Actor } from '../control/actor.ts';
import type { Role } from '../control/tenant-store.ts';
import { localScope, type Scope } from '../platform/scope.ts';

/** Authenticated caller with its permissions. */
export interface Principal {
  /** `app_id` is empty on routes of the whole tenant, and where the path names an app of another tenant. */
  scope: Scope;
  actor: Actor;
  may(permission: Permission): boolean;
  /** Login of the caller; null for a key. */
  session: { id: string; user_id: string; role: Role } | null;
  /** Key of the caller; null for a login. */
  key: CallingKey | null;
}

export interface CallingKey {
  id: string;
  environment_id: string | null;
  environment_kinds: readonly ('development' | 'preview' | 'production')[] | null;
  run_id: string | null;
}

/** The credential of a request is missing or wrong. */
export class CredentialRefused extends Error {
  readonly code: 'unauthorized' | 'forbidden';

  /** @param code `forbidden` for an expired credential whose owner should learn that it has expired */
  constructor(message: string, code: CredentialRefused['code'] = 'unauthorized') {
    super(message);
    this.code = code;
  }
}

export interface Authenticator {
  /**
   * @param params path parameters as received
   * @throws CredentialRefused
   */
  authenticate(request: IncomingMessage, route: Route, params: Record<string, unknown>): Promise<Principal> | Principal;
  /**
   * Those of these principals whose credential, app and permissions are certainly as they were: they would be authenticated with the same result.
   * The number of queries does not grow with theirs.
   */
  unchanged(principals: readonly Principal[]): Promise<ReadonlySet<Principal>>;
}

const owner: Principal = {
  scope: localScope,
  actor: { kind: 'user', id: 'local', ip: null },
  may: () => true,
  session: null,
  key: null,
};

/** On a local gateway every caller is the owner, and credentials are ignored (docs/reference/access.md#local-guard). */
export const everyoneIsOwner: Authenticator = { authenticate: () => owner, unchanged: async (principals) => new Set(principals) };
