/**
 * Identity of the page: user and app, and the headers of every request. Without sign-in there are none. The login is in a cookie that scripts
 * cannot read; the gateway accepts that cookie only with the page header.
 */
import { useSyncExternalStore } from 'react';
import type { Reply } from '../../shared/contract/core/route.ts';
import type { Permission } from '../../shared/contract/identity/permissions.ts';
import type { Contract } from '../../shared/contract/index.ts';

export type Me = Reply<Contract['auth']['me']>['data'];

export type Identity =
  /** Not known yet. */
  | { phase: 'asking' }
  /** This gateway has no sign-in. */
  | { phase: 'open' }
  /** `isOver`: the user was signed in before. */
  | { phase: 'signed-out'; isOver: boolean }
  /** `appId` is null for a tenant without apps. `isOtherApp`: the URL named an app that the user cannot open. */
  | { phase: 'signed-in'; me: Me; appId: string | null; isOtherApp?: boolean };

let identity: Identity = { phase: 'asking' };
const watchers = new Set<() => void>();

export const currentIdentity = (): Identity => identity;

export function setIdentity(next: Identity): void {
  identity = next;
  for (const onChange of watchers) onChange();
}

export function watchIdentity(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => void watchers.delete(onChange);
}

/** Headers of all requests. */
export function identityHeaders(): Record<string, string> {
  if (identity.phase === 'open') return {};
  const { appId = null } = identity.phase === 'signed-in' ? identity : {};
  return { 'x-glasshouse-page': '1', ...(appId !== null && { 'x-service-app-id': appId }) };
}

export const useIdentity = (): Identity => useSyncExternalStore(watchIdentity, currentIdentity);

/** Signed-in user; null without sign-in. */
export function useMe(): Me | null {
  const current = useIdentity();
  return current.phase === 'signed-in' ? current.me : null;
}

/** Selected app; null where there is only one. */
export function useAppId(): string | null {
  const current = useIdentity();
  return current.phase === 'signed-in' ? current.appId : null;
}

/** Why the reader may not do something, for the control that would do it; undefined when they may. */
export function useWhyNot(): (permission: Permission) => string | undefined {
  const me = useMe();
  const may = useMay();
  return (permission) => {
    if (me === null || may(permission)) return undefined;
    return `Your role, ${me.role}, does not allow this (${permission}). An owner or admin can change it.`;
  };
}

/** Permissions of the user. Without sign-in everybody is the owner. The gateway decides in the end. */
export function useMay(): (permission: Permission) => boolean {
  const me = useMe();
  return (permission) => me === null || me.permissions.includes(permission);
}
