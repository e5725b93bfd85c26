import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** Webhook for the alerts of an environment, with sealed secrets that only the sender opens. */
export interface StoredWebhook {
  environment_id: string;
  url: string;
  sealed_secret: string | null;
  /** The previous secret, while it is still accepted. */
  sealed_previous_secret: string | null;
  previous_secret_until: string | null;
  updated_at: string;
  updated_by: string | null;
}

/** Slack channel of an app. */
export interface StoredSlack {
  sealed_token: string;
  /** Null while none is chosen. */
  channel_id: string | null;
  updated_at: string;
  updated_by: string | null;
}

type Change<T> = Omit<T, 'updated_at' | 'updated_by'>;

/** Destinations of alerts. */
export interface AlertDestinationStore {
  findWebhook(scope: Scope, environmentId: string): Promise<StoredWebhook | null>;
  /** @param change computes the new webhook from the current one, in the same transaction; the environment must be one of the app's */
  putWebhook(
    by: Actor,
    scope: Scope,
    environmentId: string,
    change: (current: StoredWebhook | null) => Omit<Change<StoredWebhook>, 'environment_id'>,
  ): Promise<StoredWebhook>;
  removeWebhook(by: Actor, scope: Scope, environmentId: string): Promise<boolean>;

  findSlack(scope: Scope): Promise<StoredSlack | null>;
  /** @param change computes the new connection from the current one, in the same transaction; null to change nothing */
  putSlack(by: Actor, scope: Scope, change: (current: StoredSlack | null) => Change<StoredSlack> | null): Promise<StoredSlack | null>;
  removeSlack(by: Actor, scope: Scope): Promise<boolean>;
}
