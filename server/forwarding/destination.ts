/** A destination of a running gateway: its settings, its key in memory, and its forwarder. */
import type { DestinationState } from '../../shared/contract/operations/destination.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { ForwardRecord } from '../telemetry/forward-store.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import { CloudLine } from './cloud-line.ts';
import { type About, readAbout, readFailureState } from './destination-about.ts';
import { Forwarder } from './forwarder.ts';
import { noRedactionSetting, type Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';
import { destinationKeyOf, type SecretStore, SecretStoreError } from './secrets/secret-store.ts';
import type { FailureState, SendState } from './sender.ts';
import type { TokenKey } from './token-key.ts';

export interface ForwardingParts {
  telemetry: Pick<LocalTelemetryStore, 'forwarding' | 'redaction' | 'follow'>;
  redaction: Redaction;
  scope: Scope;
  secrets: SecretStore;
  /** Key of the redaction tokens. */
  tokenKey: TokenKey;
  clock: Clock;
  log: Log;
}

/** Why forwarding is not possible, apart from a pause by the user. */
export interface Obstacle {
  why: 'no_key' | 'secrets' | 'itself' | 'address';
  message: string;
}

/** Number of characters of a key that are shown. */
const shownKeyEnd = 4;

export class Destination {
  readonly name: string;
  about: About;
  /** Null when forwarding is possible. */
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

  /** The key, abbreviated for display. */
  get shownKey(): string | null {
    return this.#key === null ? null : `${this.#key.slice(0, 'sk_service_'.length)}…${this.#key.slice(-shownKeyEnd)}`;
  }

  get spansPerSecond(): number {
    return this.#forwarder?.spansPerSecond ?? 0;
  }

  get state(): DestinationState {
    if (this.about.is_paused) return { is: 'off', why: null, message: '', since: null, until: null };
    if (this.obstacle) return { is: 'paused', ...this.obstacle, since: null, until: null };
    return shownState(this.#forwarder?.state ?? { is: 'up_to_date' });
  }

  /** Starts forwarding, unless it is paused or not possible. @param failure stored failure state; '' for none */
  async start(failure: string): Promise<void> {
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
        previous: readFailureState(failure),
        setting: this.#setting,
      },
      onFailure: (failure, code) => void this.#record(failure, code),
    }).start();
  }

  /** Ends a wait, whatever its reason. */
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

  async #record(failure: FailureState, code: string): Promise<void> {
    const { telemetry, scope, clock, log } = this.#parts;
    const { state } = failure;
    const isStoreFailure = state.is === 'waiting' && state.why === 'store';
    const error = JSON.stringify({ at_ms: clock.now(), code: isStoreFailure ? 'store' : code, message: state.message });
    try {
      await telemetry.forwarding.recordFailure(scope, this.name, JSON.stringify(failure), error);
    } catch (cause) {
      // The failure is still in memory, but a restart loses it.
      log.error('forwarding_state_not_kept', { destination: this.name, reason: String(cause) });
    }
  }
}

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The state as in the API. */
export function shownState(state: SendState): DestinationState {
  if (state.is === 'up_to_date' || state.is === 'sending') return { is: state.is, why: null, message: '', since: null, until: null };
  const { is, message, since_ms, until_ms } = state;
  return { is, why: is === 'paused' ? state.reason : state.why, message, since: isoTime(since_ms), until: isoTime(until_ms) };
}
