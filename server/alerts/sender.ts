/** Makes one attempt to send a notice. Address, secret and channel are read together at that moment. */
import type { AlertTestResult } from '../../shared/contract/operations/alert-delivery.ts';
import type { AlertDestinationStore, StoredWebhook } from '../control/alert-destination-store.ts';
import type { Notice } from '../control/alert-watch.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound, Outcome } from '../platform/outbound/outbound.ts';
import type { Scope } from '../platform/scope.ts';
import { signatureHeaders } from './signature.ts';
import { answerOf, type Slack, SlackRefusal } from './slack.ts';

/** Result of one attempt. `waiting` will be retried. */
export interface SendResult extends AlertTestResult {
  retryAfterSeconds: number | null;
}

/** Slack error codes for temporary failures. */
const slackOutages = new Set([
  'ratelimited',
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'unreadable_answer',
]);

export class AlertSender {
  readonly #destinations: AlertDestinationStore;
  readonly #sealed: SealedTexts;
  readonly #outbound: Outbound;
  readonly #slack: Slack;
  readonly #clock: Clock;

  constructor(destinations: AlertDestinationStore, sealed: SealedTexts, outbound: Outbound, slack: Slack, clock: Clock) {
    this.#destinations = destinations;
    this.#sealed = sealed;
    this.#outbound = outbound;
    this.#slack = slack;
    this.#clock = clock;
  }

  /** @param eventId identifies the notice, so that a receiver recognises a repetition */
  send(scope: Scope, notice: Notice, eventId: string, stop?: AbortSignal): Promise<SendResult> {
    const { environment_id, payload } = notice;
    return environment_id === null ? this.#toSlack(scope, payload, stop) : this.#toWebhook(scope, environment_id, payload, eventId, stop);
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

  async #toSlack(scope: Scope, text: string, stop?: AbortSignal): Promise<SendResult> {
    const slack = await this.#destinations.findSlack(scope);
    const token = slack && this.#sealed.open(slack.sealed_token, slackPurpose(scope));
    if (!slack || !token) return skipped('not connected');
    if (slack.channel_id === null) return skipped('no channel');
    const outcome = await this.#slack.post(token, slack.channel_id, text, stop);
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

/** What each secret is sealed for: it cannot be opened as another one. */
export const webhookPurpose = (environmentId: string): string => `webhook ${environmentId}`;
export const slackPurpose = ({ app_id }: Scope): string => `slack ${app_id}`;

const skipped = (answer: string): SendResult => ({ state: 'skipped', answer, retryAfterSeconds: null });

/** Failures that may pass are retried: a receiver that is slow, overloaded, broken or unreachable. */
function resultOf(outcome: Outcome): SendResult {
  if (outcome.kind === 'blocked') return { state: 'blocked', answer: 'blocked', retryAfterSeconds: null };
  if (outcome.kind === 'unreachable') {
    return { state: 'waiting', answer: outcome.why === 'timeout' ? 'timeout' : 'unreachable', retryAfterSeconds: null };
  }
  const { status, retryAfterSeconds } = outcome;
  const answer = `${Math.floor(status / 100)}xx`;
  if (status >= 200 && status < 300) return { state: 'delivered', answer, retryAfterSeconds: null };
  const isTemporary = status === 408 || status === 429 || status >= 500;
  return { state: isTemporary ? 'waiting' : 'failed', answer, retryAfterSeconds };
}
