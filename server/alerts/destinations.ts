/** Destinations of an app's alerts. A secret is sealed at once and never shown again. */
import { randomUUID } from 'node:crypto';
import type { AlertTestResult } from '../../shared/contract/operations/alert-delivery.ts';
import type { AlertSlackConnection, AlertWebhook } from '../../shared/contract/operations/alert-destinations.ts';
import type { Actor } from '../control/actor.ts';
import type { AlertDestinationStore, StoredSlack, StoredWebhook } from '../control/alert-destination-store.ts';
import type { Receiver } from '../control/alert-watch.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Scope } from '../platform/scope.ts';
import type { SendResult } from './send-result.ts';
import { type AlertSender, slackPurpose, webhookPurpose } from './sender.ts';
import type { Slack, SlackChannel } from './slack.ts';

/** How long a replaced secret signs beside the new one. */
const overlapMs = 24 * 3_600_000;

interface DestinationParts {
  store: AlertDestinationStore;
  sealed: SealedTexts;
  outbound: Outbound;
  slack: Slack;
  sender: AlertSender;
  clock: Clock;
}

export class AlertDestinations {
  readonly #parts: DestinationParts;

  constructor(parts: DestinationParts) {
    this.#parts = parts;
  }

  async webhook(scope: Scope, environmentId: string): Promise<AlertWebhook | null> {
    const stored = await this.#parts.store.findWebhook(scope, environmentId);
    return stored && this.#asWebhook(stored);
  }

  /** Why nothing can be posted to an address; null when it may be saved. */
  problemOf(url: string): string | null {
    return this.#parts.outbound.problemOf(url);
  }

  /** @param secret absent to keep the current one, unless the host changes: a secret for one host is not sent to another */
  async putWebhook(by: Actor, scope: Scope, environmentId: string, url: string, secret: string | undefined): Promise<AlertWebhook> {
    const { store, sealed, clock } = this.#parts;
    const newSecret = secret === undefined ? null : sealed.seal(secret, webhookPurpose(environmentId));
    const previous_secret_until = new Date(clock.now() + overlapMs).toISOString();
    const none = { sealed_previous_secret: null, previous_secret_until: null };
    const stored = await store.putWebhook(by, scope, environmentId, (current) => {
      if (!current || !isSameHost(current.url, url)) return { url, sealed_secret: newSecret, ...none };
      if (newSecret === null) return { ...current, url };
      if (current.sealed_secret === null) return { url, sealed_secret: newSecret, ...none };
      return { url, sealed_secret: newSecret, sealed_previous_secret: current.sealed_secret, previous_secret_until };
    });
    return this.#asWebhook(stored);
  }

  removeWebhook(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    return this.#parts.store.removeWebhook(by, scope, environmentId);
  }

  /** Sends to the saved address with the saved secret, without data of the request. */
  testWebhook(scope: Scope, environment_id: string): Promise<AlertTestResult> {
    const timestamp = new Date(this.#parts.clock.now()).toISOString();
    const payload = JSON.stringify({ event: { type: 'test', data: { message: 'A test of Glasshouse alerts', timestamp } } });
    return this.#test(scope, { destination: 'webhook', environment_id }, payload);
  }

  async slack(scope: Scope): Promise<AlertSlackConnection | null> {
    const stored = await this.#parts.store.findSlack(scope);
    return stored && asSlack(stored);
  }

  /** @param token absent to keep the current one. Null when there is none. */
  async putSlack(by: Actor, scope: Scope, token: string | undefined, channel_id: string | null): Promise<AlertSlackConnection | null> {
    const { store, sealed } = this.#parts;
    const newToken = token === undefined ? null : sealed.seal(token, slackPurpose(scope));
    const stored = await store.putSlack(by, scope, (current) => {
      const sealed_token = newToken ?? current?.sealed_token;
      return sealed_token === undefined ? null : { sealed_token, channel_id };
    });
    return stored && asSlack(stored);
  }

  removeSlack(by: Actor, scope: Scope): Promise<boolean> {
    return this.#parts.store.removeSlack(by, scope);
  }

  testSlack(scope: Scope): Promise<AlertTestResult> {
    return this.#test(scope, { destination: 'slack', environment_id: null }, 'A test of Glasshouse alerts');
  }

  /**
   * Channels that the bot can see; none while Slack is not connected.
   * @throws SlackRefusal
   */
  async slackChannels(scope: Scope): Promise<SlackChannel[]> {
    const { store, sealed, slack } = this.#parts;
    const stored = await store.findSlack(scope);
    const token = stored && sealed.open(stored.sealed_token, slackPurpose(scope));
    return token ? slack.channels(token) : [];
  }

  async #test(scope: Scope, receiver: Receiver, payload: string): Promise<AlertTestResult> {
    const outgoing = { ...receiver, payloads: [payload], triggered: 0, resolved: 0 };
    const { state, answer }: SendResult = await this.#parts.sender.send(scope, outgoing, randomUUID());
    return { state: state === 'waiting' ? 'failed' : state, answer };
  }

  #asWebhook({ environment_id, url, sealed_secret, previous_secret_until, updated_at, updated_by }: StoredWebhook): AlertWebhook {
    const isExpired = previous_secret_until === null || Date.parse(previous_secret_until) <= this.#parts.clock.now();
    const until = isExpired ? null : previous_secret_until;
    return { environment_id, url, has_secret: sealed_secret !== null, previous_secret_until: until, updated_at, updated_by };
  }
}

const asSlack = ({ channel_id, updated_at, updated_by }: StoredSlack): AlertSlackConnection => ({ channel_id, updated_at, updated_by });

/** Host, port and scheme. */
const isSameHost = (before: string, after: string): boolean => new URL(before).origin === new URL(after).origin;
