/** Makes one attempt to send a notice. Address, secret and channel are read together at that moment. */
import type { AlertDestinationStore, StoredWebhook } from '../control/alert-destination-store.ts';
import type { Receiver } from '../control/alert-watch.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Scope } from '../platform/scope.ts';
import type { ChannelSender } from './channel-sender.ts';
import { type SlackMessage, slackMessage } from './formats/slack-message.ts';
import { webhookBody } from './formats/webhook-body.ts';
import { alertsUrl } from './links.ts';
import { resultOf, type SendResult, skipped } from './send-result.ts';
import { signatureHeaders } from './signature.ts';
import { answerOf, type Slack, SlackRefusal } from './slack.ts';
import { type Outgoing, toldOf } from './told.ts';

/** Slack error codes for temporary failures. */
const slackOutages = new Set([
  'ratelimited',
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'unreadable_answer',
]);

interface SenderParts {
  destinations: AlertDestinationStore;
  channels: ChannelSender;
  sealed: SealedTexts;
  outbound: Outbound;
  slack: Slack;
  clock: Clock;
  /** Of the viewer, without a slash at its end. */
  baseUrl: string;
}

export class AlertSender {
  readonly #destinations: AlertDestinationStore;
  readonly #sealed: SealedTexts;
  readonly #outbound: Outbound;
  readonly #slack: Slack;
  readonly #channels: ChannelSender;
  readonly #clock: Clock;
  readonly #baseUrl: string;

  constructor({ destinations, channels, sealed, outbound, slack, clock, baseUrl }: SenderParts) {
    this.#destinations = destinations;
    this.#channels = channels;
    this.#sealed = sealed;
    this.#outbound = outbound;
    this.#slack = slack;
    this.#clock = clock;
    this.#baseUrl = baseUrl;
  }

  /** @param eventId identifies the notice, so that a receiver recognises a repetition */
  send(scope: Scope, outgoing: Receiver & Outgoing, eventId: string, stop?: AbortSignal): Promise<SendResult> {
    const { destination, environment_id, target_id = null } = outgoing;
    const url = alertsUrl(this.#baseUrl, scope);
    if (target_id !== null) {
      const to = { scope, url, eventId, ...(stop && { stop }) };
      return destination === 'owner' ? this.#channels.toMember(target_id, outgoing, to) : this.#channels.toChannel(target_id, outgoing, to);
    }
    if (environment_id !== null) return this.#toWebhook(scope, environment_id, webhookBody(outgoing, url), eventId, stop);
    return this.#toSlack(scope, slackMessage(toldOf(outgoing), url), stop);
  }

  async #toWebhook(scope: Scope, environmentId: string, body: string, eventId: string, stop?: AbortSignal): Promise<SendResult> {
    const webhook = await this.#destinations.findWebhook(scope, environmentId);
    if (!webhook) return skipped('no webhook');
    const [secret, ...older] = this.#secretsOf(webhook);
    // Never sent unsigned, because it could not be told from a forgery.
    if (secret === undefined) return skipped('no secret');
    const signed = signatureHeaders([secret, ...older], body, this.#clock.now());
    const headers = { 'Content-Type': 'application/json', 'X-Service-Event-Id': eventId, ...signed };
    return resultOf(await this.#outbound.send(webhook.url, { method: 'POST', headers, body }, stop));
  }

  async #toSlack(scope: Scope, message: SlackMessage, stop?: AbortSignal): Promise<SendResult> {
    const slack = await this.#destinations.findSlack(scope);
    const token = slack && this.#sealed.open(slack.sealed_token, slackPurpose(scope));
    if (!slack || !token) return skipped('not connected');
    if (slack.channel_id === null) return skipped('no channel');
    const outcome = await this.#slack.post(token, slack.channel_id, message, stop);
    const sent = resultOf(outcome);
    if (sent.state !== 'delivered') return sent;
    try {
      answerOf(outcome);
      return sent;
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      return { state: slackOutages.has(error.code) ? 'waiting' : 'failed', answer: error.code, retryAfterSeconds: null };
    }
  }

  /** Signing secrets: the current one, and the previous one during a rotation. */
  #secretsOf({ environment_id, sealed_secret, sealed_previous_secret, previous_secret_until }: StoredWebhook): string[] {
    const isOverlap = previous_secret_until !== null && Date.parse(previous_secret_until) > this.#clock.now();
    if (sealed_secret === null) return [];
    return [sealed_secret, isOverlap ? sealed_previous_secret : null].flatMap((sealed) =>
      sealed === null ? [] : (this.#sealed.open(sealed, webhookPurpose(environment_id)) ?? []),
    );
  }
}

/** What the secrets of destinations are sealed for. */
export const alertDestinationsPurpose = 'alert destinations';

/** What each secret is sealed for: it cannot be opened as another one. */
export const webhookPurpose = (environmentId: string): string => `webhook ${environmentId}`;
export const slackPurpose = ({ app_id }: Scope): string => `slack ${app_id}`;
