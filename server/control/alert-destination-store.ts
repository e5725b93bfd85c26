import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** Where the alerts of an environment are posted. What is sealed is opened by whoever sends. */
export interface StoredWebhook {
  environment_id: string;
  url: string;
  sealed_secret: string | null;
  /** Of the secret before, while it may still be in use. */
  sealed_previous_secret: string | null;
  previous_secret_until: string | null;
  updated_at: string;
  updated_by: string | null;
}

/** Where the messages of an app go. */
export interface StoredSlack {
  sealed_token: string;
  /** Null while none is chosen. */
  channel_id: string | null;
  updated_at: string;
  updated_by: string | null;
}

type Change<T> = Omit<T, 'updated_at' | 'updated_by'>;

/** Destinations of alerts. Absent is null. */
export interface AlertDestinationStore {
  findWebhook(scope: Scope, environmentId: string): Promise<StoredWebhook | null>;
  /** @param change what to keep of the webhook that there is now, in one step with reading it; the environment is one of the app's */
  putWebhook(
    by: Actor,
    scope: Scope,
    environmentId: string,
    change: (before: StoredWebhook | null) => Omit<Change<StoredWebhook>, 'environment_id'>,
  ): Promise<StoredWebhook>;
  removeWebhook(by: Actor, scope: Scope, environmentId: string): Promise<boolean>;

  findSlack(scope: Scope): Promise<StoredSlack | null>;
  putSlack(by: Actor, scope: Scope, slack: Change<StoredSlack>): Promise<StoredSlack>;
  removeSlack(by: Actor, scope: Scope): Promise<boolean>;
}
