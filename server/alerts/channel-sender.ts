/** Makes one attempt to send to a channel or to the owner of an alert. The address is read and opened at that moment. */
import type { AlertChannelStore, StoredChannel } from '../control/alert-channel-store.ts';
import type { TenantStore } from '../control/tenant-store.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import { type Mailer, MailFailure } from '../mail/mailer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Scope } from '../platform/scope.ts';
import { alertMail } from './formats/alert-mail.ts';
import { endOfTest, pagerDutyEvent } from './formats/pagerduty-event.ts';
import { slackMessage } from './formats/slack-message.ts';
import { teamsMessage } from './formats/teams-card.ts';
import { webhookBody } from './formats/webhook-body.ts';
import { resultOf, type SendResult, skipped } from './send-result.ts';
import { signatureHeaders } from './signature.ts';
import { type Outgoing, toldOf } from './told.ts';

/** What is sealed of a channel. */
export interface ChannelAddress {
  address: string;
  /** Of webhooks only. */
  secret?: string | undefined;
}

interface ChannelSenderParts {
  channels: AlertChannelStore;
  tenants: TenantStore;
  sealed: SealedTexts;
  outbound: Outbound;
  /** Reaches PagerDuty. */
  pagerDuty: { outbound: Outbound; url: string };
  /** Null where the gateway sends no e-mail. */
  mailer: Mailer | null;
  clock: Clock;
}

interface Sending {
  scope: Scope;
  /** Of the list of alerts. */
  url: string;
  eventId: string;
  stop?: AbortSignal;
}

/** What each address is sealed for: it cannot be opened as another one. */
export const channelPurpose = (id: string): string => `channel ${id}`;

/** Alerts send e-mail only to people of the team, who have confirmed their addresses. */
export async function isOfMember(tenants: TenantStore, { tenant_id }: Scope, address: string): Promise<boolean> {
  const email = address.toLowerCase();
  return (await tenants.members(tenant_id)).some((member) => member.email === email);
}

export class ChannelSender {
  readonly #parts: ChannelSenderParts;

  constructor(parts: ChannelSenderParts) {
    this.#parts = parts;
  }

  async toChannel(id: string, outgoing: Outgoing, sending: Sending): Promise<SendResult> {
    const channel = await this.#parts.channels.find(sending.scope, id);
    if (!channel) return skipped('no channel');
    const opened = this.#parts.sealed.open(channel.sealed, channelPurpose(id));
    if (opened === null) return skipped('no address');
    const to = JSON.parse(opened) as ChannelAddress;
    // Checked again, because a member may have left.
    if (channel.kind === 'email' && !(await isOfMember(this.#parts.tenants, sending.scope, to.address))) return skipped('not a member');
    return this.#send(channel, to, outgoing, sending);
  }

  /** By e-mail, to the address that the member has now. */
  async toMember(userId: string, outgoing: Outgoing, sending: Sending): Promise<SendResult> {
    const member = await this.#parts.tenants.findMember(sending.scope.tenant_id, userId);
    return member ? this.#mail(member.email, outgoing, sending) : skipped('not a member');
  }

  #send({ id, kind }: StoredChannel, { address, secret }: ChannelAddress, outgoing: Outgoing, sending: Sending): Promise<SendResult> {
    const { url, eventId, stop } = sending;
    switch (kind) {
      case 'webhook': {
        // Never sent unsigned, because it could not be told from a forgery.
        if (secret === undefined) return Promise.resolve(skipped('no secret'));
        const body = webhookBody(outgoing, url);
        return this.#post(
          address,
          body,
          { 'X-Service-Event-Id': eventId, ...signatureHeaders([secret], body, this.#parts.clock.now()) },
          stop,
        );
      }
      case 'slack':
        return this.#post(address, JSON.stringify(slackMessage(toldOf(outgoing), url)), {}, stop);
      case 'teams':
        return this.#post(address, JSON.stringify(teamsMessage(toldOf(outgoing), url)), {}, stop);
      case 'pagerduty':
        return this.#page(id, address, outgoing, stop);
      case 'email':
        return this.#mail(address, outgoing, sending);
    }
  }

  async #post(url: string, body: string, headers: Record<string, string>, stop?: AbortSignal): Promise<SendResult> {
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body } as const;
    return resultOf(await this.#parts.outbound.send(url, request, stop));
  }

  async #page(channelId: string, routingKey: string, outgoing: Outgoing, stop?: AbortSignal): Promise<SendResult> {
    const { outbound, url } = this.#parts.pagerDuty;
    const post = async (event: object) => {
      const headers = { 'Content-Type': 'application/json' };
      return resultOf(await outbound.send(url, { method: 'POST', headers, body: JSON.stringify(event) }, stop));
    };
    const told = toldOf(outgoing);
    const testKey = `glasshouse-test-${channelId}`;
    const result = await post(pagerDutyEvent(routingKey, told, testKey));
    const isTest = told.notices.length === 0;
    // A test whose incident stays open is not one that went well.
    return isTest && result.state === 'delivered' ? post(endOfTest(routingKey, testKey)) : result;
  }

  async #mail(address: string, outgoing: Outgoing, { url, eventId, stop }: Sending): Promise<SendResult> {
    const { mailer } = this.#parts;
    if (!mailer) return skipped('no e-mail');
    try {
      await mailer.send([address], { ...alertMail(toldOf(outgoing), url), id: eventId }, stop);
      return { state: 'delivered', answer: null, retryAfterSeconds: null };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return { state: error.isTemporary ? 'waiting' : 'failed', answer: 'mail server', retryAfterSeconds: null };
    }
  }
}
