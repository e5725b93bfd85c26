import type { IncomingMessage } from 'node:http';
import type { Permission } from '../../shared/contract/permissions.ts';
import type { Route } from '../../shared/contract/route.ts';
import { localScope, type Scope } from '../platform/scope.ts';

/** Who is asking, and what they may do. */
export interface Principal {
  scope: Scope;
  may(permission: Permission): boolean;
}

export interface Authenticator {
  /** Ends with `fail('unauthorized', …)` when the credential is missing or wrong. */
  authenticate(request: IncomingMessage, route: Route): Promise<Principal> | Principal;
}

const owner: Principal = { scope: localScope, may: () => true };

/** On one's own machine everyone is the owner; credentials are ignored when sent (contract 1). */
export const everyoneIsOwner: Authenticator = { authenticate: () => owner };
