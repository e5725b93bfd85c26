/** Destination in a running gateway: its record, its key in memory, and its sender. */
import type { DestinationState } from '../../shared/contract/operations/destination.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { ForwardRecord } from '../telemetry/forward-store.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { CloudLine } from './cloud-line.ts';
import { type About, readAbout, readStanding } from './destination-about.ts';
import { Forwarder } from './forwarder.ts';
import { noRedactionSetting, type Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';
import { destinationKeyOf, type SecretStore, SecretStoreError } from './secrets/secret-store.ts';
import type { SendState, Standing } from './sender.ts';
import type { TokenKey } from './token-key.ts';

export interface ForwardingParts {
  telemetry: Pick<TelemetryStore, 'forwarding' | 'redaction' | 'follow'>;
  redaction: Redaction;
  scope: Scope;
  secrets: SecretStore;
  /** Key of the redaction tokens. */
  tokenKey: TokenKey;
  clock: Clock;
  log: Log;
}

/** Reason that blocks forwarding without a user's pause. */
export interface Obstacle {
  why: 'no_key' | 'secrets' | 'itself' | 'address';
  message: string;
}

const shownEnds = 4;

export class Destination {
  readonly name: string;
  about: About;
  /** Why it cannot be sent to; null when it can. */
  obstacle: Obstacle | null = null;
  readonly #parts: ForwardingParts;
  readonly #installation: string;
  #key: string | null = null;
  #setting: RedactionSetting = noRedactionSetting;
  #forwarder: Forwarder | null = null;

  constructor(parts: ForwardingParts, installation: string, { name, about }: Pick<ForwardRecord, 'name' | 'about'>) {
    this.name = name;
    this.about = readAbout(about);
    this.#parts = parts;
    this.#installation = installation;
  }

  /** The key as it may be shown. */
  get shownKey(): string | null {
    return this.#key === null ? null : `${this.#key.slice(0, 'sk_service_'.length)}…${this.#key.slice(-shownEnds)}`;
  }

  get spansPerSecond(): number {
    return this.#forwarder?.spansPerSecond ?? 0;
  }

  get state(): DestinationState {
    if (this.about.is_paused) return { is: 'off', why: null, message: '', since: null, until: null };
    if (this.obstacle) return { is: 'paused', ...this.obstacle, since: null, until: null };
    return shownState(this.#forwarder?.state ?? { is: 'up_to_date' });
  }

  /** Begins to send, unless it is paused or something is in the way. @param standing how it stood when it was stopped, as it was kept */
  async start(standing: string): Promise<void> {
    await this.stop();
    await this.#readSecrets();
    const { telemetry, redaction, scope, clock } = this.#parts;
    if (this.about.is_paused || this.obstacle || this.#key === null) return;
    const line = new CloudLine({ url: this.about.url, key: this.#key, appId: this.about.app_id });
    this.#forwarder = new Forwarder({
      ...{
        telemetry,
        redaction,
        scope,
        name: this.name,
        line,
        clock,
        sender: this.#installation,
        before: readStanding(standing),
        setting: this.#setting,
      },
      noted: (standing, code) => void this.#note(standing, code),
    }).start();
  }

  /** Looks again now, whatever it waits for. */
  wake(): void {
    this.#forwarder?.wake();
  }

  async stop(): Promise<void> {
    const forwarder = this.#forwarder;
    this.#forwarder = null;
    await forwarder?.stop();
  }

  async #readSecrets(): Promise<void> {
    if (this.obstacle?.why === 'itself' || this.obstacle?.why === 'address') return;
    this.obstacle = null;
    try {
      this.#key = await this.#parts.secrets.read(destinationKeyOf(this.name));
      const { policy } = this.about;
      this.#setting = { policy, token_key: policy.hide.length > 0 ? await this.#parts.tokenKey.get() : new Uint8Array() };
      if (this.#key === null) this.obstacle = { why: 'no_key', message: 'There is no key for it on this machine' };
    } catch (error) {
      if (!(error instanceof SecretStoreError)) throw error;
      this.#key = null;
      this.obstacle = { why: 'secrets', message: error.message };
    }
  }

  async #note(standing: Standing, code: string): Promise<void> {
    const { telemetry, scope, clock, log } = this.#parts;
    const { state } = standing;
    const isOurs = state.is === 'waiting' && state.why === 'store';
    const error = JSON.stringify({ at_ms: clock.now(), code: isOurs ? 'store' : code, message: state.message });
    try {
      await telemetry.forwarding.note(scope, this.name, JSON.stringify(standing), error);
    } catch (failure) {
      // The state is still in memory; a restart would forget it.
      log.error('forwarding_state_not_kept', { destination: this.name, reason: String(failure) });
    }
  }
}

const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** As in the API. */
export function shownState(state: SendState): DestinationState {
  if (state.is === 'up_to_date' || state.is === 'sending') return { is: state.is, why: null, message: '', since: null, until: null };
  const { is, message, since_ms, until_ms } = state;
  return { is, why: is === 'paused' ? state.reason : state.why, message, since: moment(since_ms), until: moment(until_ms) };
}
