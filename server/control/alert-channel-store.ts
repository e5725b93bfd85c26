import type { AlertChannel } from '../../shared/contract/operations/alert-channels.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** A channel with its sealed address, which only the sender opens. */
export interface StoredChannel extends AlertChannel {
  sealed: string;
}

type Draft = Pick<StoredChannel, 'id' | 'kind' | 'name' | 'shown' | 'sealed'>;

/** Channels that alerts of an app notify. */
export interface AlertChannelStore {
  /** By name in code-unit order. */
  list(scope: Scope): Promise<StoredChannel[]>;
  find(scope: Scope, id: string): Promise<StoredChannel | null>;
  /**
   * @throws Duplicate when the app has a channel of that name
   * @throws LimitReached when it has `max` of them
   */
  create(by: Actor, scope: Scope, draft: Draft, max: number): Promise<StoredChannel>;
  /**
   * @param next computes the new values from the current ones, in the same transaction
   * @throws Duplicate when another channel of the app has the new name, and whatever `next` throws
   */
  change(
    by: Actor,
    scope: Scope,
    id: string,
    next: (current: StoredChannel) => Pick<Draft, 'name' | 'shown' | 'sealed'>,
  ): Promise<StoredChannel | null>;
  /** Alerts no longer notify it. What is on its way to it is not sent. False for an unknown one. */
  remove(by: Actor, scope: Scope, id: string): Promise<boolean>;
}
