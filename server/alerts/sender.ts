/** Sends one notice once. Address, secret and channel are read together at that time. */
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
export interface Sent extends AlertTestResult {
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

  /** @param eventId by which a receiver knows a notice that it had before */
  send(scope: Scope, notice: Notice, eventId: string, stop?: AbortSignal): Promise<Sent> {
    const { environment_id, payload } = notice;
    return environment_id === null ? this.#toSlack(scope, payload, stop) : this.#toWebhook(scope, environment_id, payload, eventId, stop);
  }

  async #toWebhook(scope: Scope, environmentId: string, body: string, eventId: string, stop?: AbortSignal): Promise<Sent> {
    const webhook = await this.#destinations.findWebhook(scope, environmentId);
    if (!webhook) return skipped('no webhook');
    const [secret, ...older] = this.#secretsOf(webhook);
    // Never sent unsigned, because it could not be told from a forgery.
    if (secret === undefined) return skipped('no secret');
    const signed = signatureHeaders([secret, ...older], body, this.#clock.now());
    const headers = { 'Content-Type': 'application/json', 'X-Service-Event-Id': eventId, ...signed };
    return sentOf(await this.#outbound.send(webhook.url, { method: 'POST', headers, body }, stop));
  }

  async #toSlack(scope: Scope, text: string, stop?: AbortSignal): Promise<Sent> {
    const slack = await this.#destinations.findSlack(scope);
    const token = slack && this.#sealed.open(slack.sealed_token, slackPurpose(scope));
    if (!slack || !token) return skipped('not connected');
    if (slack.channel_id === null) return skipped('no channel');
    const outcome = await this.#slack.post(token, slack.channel_id, text, stop);
    const sent = sentOf(outcome);
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

/** Binding of the sealed secrets. */
export const webhookPurpose = (environmentId: string): string => `webhook ${environmentId}`;
export const slackPurpose = ({ app_id }: Scope): string => `slack ${app_id}`;

const skipped = (answer: string): Sent => ({ state: 'skipped', answer, retryAfterSeconds: null });

/** Trying again makes sense where the receiver may be another in a while: too slow, too busy, broken, not there. */
function sentOf(outcome: Outcome): Sent {
  if (outcome.kind === 'blocked') return { state: 'blocked', answer: 'blocked', retryAfterSeconds: null };
  if (outcome.kind === 'unreachable') {
    return { state: 'waiting', answer: outcome.why === 'timeout' ? 'timeout' : 'unreachable', retryAfterSeconds: null };
  }
  const { status, retryAfterSeconds } = outcome;
  const answer = `${Math.floor(status / 100)}xx`;
  if (status >= 200 && status < 300) return { state: 'delivered', answer, retryAfterSeconds: null };
  const isPassing = status === 408 || status === 429 || status >= 500;
  return { state: isPassing ? 'waiting' : 'failed', answer, retryAfterSeconds };
}
