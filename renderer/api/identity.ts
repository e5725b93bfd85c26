/**
 * Who the page asks as, and about which app: the one place that knows what every request carries. Where nobody has to sign in, nothing
 * is added. The login itself is in a cookie that no script can read; the page header is what lets that cookie count.
 */
import { useSyncExternalStore } from 'react';
import type { Contract } from '../../shared/contract/index.ts';
import type { Permission } from '../../shared/contract/permissions.ts';
import type { Reply } from '../../shared/contract/route.ts';

export type Me = Reply<Contract['auth']['me']>['data'];

export type Identity =
  /** Not known yet. */
  | { phase: 'asking' }
  /** This gateway asks nobody who they are. */
  | { phase: 'open' }
  /** `isOver`: they were signed in, and no longer are. */
  | { phase: 'signed-out'; isOver: boolean }
  /** `appId` is null for a tenant without apps. */
  | { phase: 'signed-in'; me: Me; appId: string | null };

let identity: Identity = { phase: 'asking' };
const watchers = new Set<() => void>();

export const currentIdentity = (): Identity => identity;

export function becomeIdentity(next: Identity): void {
  identity = next;
  for (const changed of watchers) changed();
}

export function watchIdentity(changed: () => void): () => void {
  watchers.add(changed);
  return () => void watchers.delete(changed);
}

/** What a request carries beside what it asks. */
export function identityHeaders(): Record<string, string> {
  if (identity.phase === 'open') return {};
  const { appId = null } = identity.phase === 'signed-in' ? identity : {};
  return { 'x-glasshouse-page': '1', ...(appId !== null && { 'x-service-app-id': appId }) };
}

export const useIdentity = (): Identity => useSyncExternalStore(watchIdentity, currentIdentity);

/** Who is signed in; null where nobody has to. */
export function useMe(): Me | null {
  const now = useIdentity();
  return now.phase === 'signed-in' ? now.me : null;
}

/** The app that is looked at; null where there is only one to look at. */
export function useAppId(): string | null {
  const now = useIdentity();
  return now.phase === 'signed-in' ? now.appId : null;
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

/** Whether the reader may do something. Where nobody signs in, everybody is the owner. The gateway has the last word. */
export function useMay(): (permission: Permission) => boolean {
  const me = useMe();
  return (permission) => me === null || me.permissions.includes(permission);
}
