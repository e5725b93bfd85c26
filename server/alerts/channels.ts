/** Channels that alerts of an app notify. What grants access is sealed at once and never shown again. */
import { randomUUID } from 'node:crypto';
import { type AlertChannel, type AlertChannelKind, channelKind, channelsMax } from '../../shared/contract/operations/alert-channels.ts';
import type { AlertTestResult } from '../../shared/contract/operations/alert-delivery.ts';
import type { Actor } from '../control/actor.ts';
import type { AlertChannelStore, StoredChannel } from '../control/alert-channel-store.ts';
import type { Alert } from '../control/alert-store.ts';
import type { Notice } from '../control/alert-watch.ts';
import type { TenantStore } from '../control/tenant-store.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import { isMailAddress } from '../mail/mailer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Scope } from '../platform/scope.ts';
import { type ChannelAddress, channelPurpose, isOfMember } from './channel-sender.ts';
import { acknowledgementNotices } from './notices.ts';
import type { AlertSender } from './sender.ts';

interface ChannelParts {
  store: AlertChannelStore;
  tenants: TenantStore;
  sealed: SealedTexts;
  outbound: Outbound;
  sender: AlertSender;
  clock: Clock;
  /** Whether the gateway sends e-mail. */
  sendsMail: boolean;
}

interface ChannelDraft {
  name: string;
  address: string;
  secret?: string | undefined;
}

/** What is left out stays. */
interface ChannelChange {
  name: string;
  address?: string | undefined;
  secret?: string | undefined;
}

/** Why a channel cannot be saved, by field. */
export class ChannelProblem extends Error {
  readonly field: 'kind' | 'address' | 'secret';

  constructor(field: ChannelProblem['field'], message: string) {
    super(message);
    this.name = 'ChannelProblem';
    this.field = field;
  }
}

const routingKey = /^[A-Za-z0-9]{32}$/;

export class AlertChannels {
  readonly #parts: ChannelParts;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  /** Those that can be added. */
  get kinds(): AlertChannelKind[] {
    return channelKind.options.filter((kind) => kind !== 'email' || this.#parts.sendsMail);
  }

  async list(scope: Scope): Promise<AlertChannel[]> {
    return (await this.#parts.store.list(scope)).map(asShown);
  }

  /** @throws ChannelProblem, Duplicate, LimitReached */
  async create(by: Actor, scope: Scope, kind: AlertChannelKind, { name, ...address }: ChannelDraft): Promise<AlertChannel> {
    if (!this.kinds.includes(kind)) throw new ChannelProblem('kind', 'needs e-mail, which this gateway does not send');
    this.#assertPossible(kind, address);
    if (kind === 'email') await this.#assertMember(scope, address.address);
    const id = randomUUID();
    const draft = { id, kind, name, shown: shownOf(kind, address.address), sealed: this.#seal(id, address) };
    return asShown(await this.#parts.store.create(by, scope, draft, channelsMax));
  }

  /**
   * Null for an unknown one.
   * @throws ChannelProblem, Duplicate
   */
  async change(by: Actor, scope: Scope, id: string, { name, address, secret }: ChannelChange): Promise<AlertChannel | null> {
    const isMail = address !== undefined && (await this.#parts.store.find(scope, id))?.kind === 'email';
    if (isMail) await this.#assertMember(scope, address);
    const changed = await this.#parts.store.change(by, scope, id, (current) => {
      if (address === undefined && secret === undefined) return { ...current, name };
      const opened = this.#parts.sealed.open(current.sealed, channelPurpose(id));
      const before: ChannelAddress | null = opened === null ? null : JSON.parse(opened);
      const next = { address: address ?? before?.address ?? '', secret: secret ?? secretFor(before, address) };
      this.#assertPossible(current.kind, next);
      return { name, shown: shownOf(current.kind, next.address), sealed: this.#seal(id, next) };
    });
    return changed && asShown(changed);
  }

  remove(by: Actor, scope: Scope, id: string): Promise<boolean> {
    return this.#parts.store.remove(by, scope, id);
  }

  async find(scope: Scope, id: string): Promise<AlertChannel | null> {
    const found = await this.#parts.store.find(scope, id);
    return found && asShown(found);
  }

  /** Sends to the saved address, without data of the request. */
  async test(scope: Scope, { id, kind }: AlertChannel): Promise<AlertTestResult> {
    const timestamp = new Date(this.#parts.clock.now()).toISOString();
    const payload = JSON.stringify({ event: { type: 'test', data: { message: 'A test of Glasshouse alerts', timestamp } } });
    const receiver = { destination: kind, environment_id: null, target_id: id };
    const { state, answer } = await this.#parts.sender.send(
      scope,
      { ...receiver, payloads: [payload], triggered: 0, resolved: 0 },
      randomUUID(),
    );
    return { state: state === 'waiting' ? 'failed' : state, answer };
  }

  async noticesOfAcknowledgement(alert: Alert): Promise<Notice[]> {
    return alert.channel_ids.length === 0 ? [] : acknowledgementNotices(alert, await this.#parts.store.list(alert));
  }

  /** Others could be flooded with mail that they never asked for. */
  async #assertMember(scope: Scope, address: string): Promise<void> {
    if (await isOfMember(this.#parts.tenants, scope, address)) return;
    throw new ChannelProblem('address', 'must be the e-mail address of a member of the team');
  }

  #seal(id: string, address: ChannelAddress): string {
    return this.#parts.sealed.seal(JSON.stringify(address), channelPurpose(id));
  }

  #assertPossible(kind: AlertChannelKind, { address, secret }: ChannelAddress): void {
    if (kind === 'email' && !isMailAddress(address)) throw new ChannelProblem('address', 'must be an e-mail address');
    if (kind === 'pagerduty' && !routingKey.test(address))
      throw new ChannelProblem('address', 'must be an integration key of 32 letters and digits');
    const problem = kind === 'email' || kind === 'pagerduty' ? null : this.#parts.outbound.problemOf(address);
    if (problem) throw new ChannelProblem('address', problem);
    if (kind === 'webhook' && secret === undefined) throw new ChannelProblem('secret', 'is required for the host of this webhook');
    if (kind !== 'webhook' && secret !== undefined) throw new ChannelProblem('secret', 'may be set only for a webhook');
  }
}

/** A secret for one host is not sent to another. */
function secretFor(before: ChannelAddress | null, address: string | undefined): string | undefined {
  if (!before || address === undefined) return before?.secret;
  return URL.parse(address)?.origin === URL.parse(before.address)?.origin ? before.secret : undefined;
}

function shownOf(kind: AlertChannelKind, address: string): string {
  if (kind === 'pagerduty') return '';
  return kind === 'email' ? address : new URL(address).host;
}

const asShown = ({ id, kind, name, shown, created_at, created_by, updated_at, updated_by }: StoredChannel): AlertChannel => ({
  ...{ id, kind, name, shown, created_at, created_by, updated_at, updated_by },
});
