/** Links in progress: each shows a code until it is approved, and then becomes a destination. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ForwardingLink, NewLink } from '../../shared/contract/operations/forwarding-links.ts';
import type { Clock } from '../platform/clock.ts';
import type { Forwarding } from './destinations.ts';
import { type DeviceLink, startDeviceLink } from './link/device-link.ts';
import { LinkError } from './link/link-error.ts';

/** More pending links than anybody starts on purpose; beyond it the oldest is cancelled. */
const linksMax = 8;

interface PendingLink {
  shown: ForwardingLink;
  link: DeviceLink;
}

export class Links {
  readonly #forwarding: Forwarding;
  readonly #clock: Clock;
  readonly #pending = new Map<string, PendingLink>();

  constructor(forwarding: Forwarding, clock: Clock) {
    this.#forwarding = forwarding;
    this.#clock = clock;
  }

  /** @throws LinkError when the cloud did not start a link */
  async start({ url, ...choices }: NewLink): Promise<ForwardingLink> {
    const link = await startDeviceLink(url.trim(), { machine_name: hostname() || 'a machine', clock: this.#clock });
    const { user_code, verification_url, expires_at } = link;
    const shown: ForwardingLink = {
      id: randomUUID(),
      is: 'waiting',
      user_code,
      verification_url,
      expires_at,
      destination: null,
      problem: '',
    };
    this.#pending.set(shown.id, { shown, link });
    for (const [id] of [...this.#pending].slice(0, -linksMax)) this.cancel(id);
    void this.#finish({ shown, link }, choices);
    return shown;
  }

  /** Null for unknown and ended links. */
  find(id: string): ForwardingLink | null {
    return this.#pending.get(id)?.shown ?? null;
  }

  /** @returns false for an unknown link */
  cancel(id: string): boolean {
    this.#pending.get(id)?.link.cancel();
    return this.#pending.delete(id);
  }

  stop(): void {
    for (const id of [...this.#pending.keys()]) this.cancel(id);
  }

  async #finish({ shown, link }: PendingLink, choices: Omit<NewLink, 'url'>): Promise<void> {
    try {
      const linked = await link.finished;
      const name = await this.#freeName();
      await this.#forwarding.create({ ...linked, ...choices, name });
      Object.assign(shown, { is: 'linked', destination: name });
    } catch (error) {
      const is = error instanceof LinkError && (error.problem === 'denied' || error.problem === 'expired') ? error.problem : 'failed';
      Object.assign(shown, { is, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  async #freeName(): Promise<string> {
    const taken = new Set((await this.#forwarding.list()).map(({ name }) => name));
    for (let number = 1; ; number++) {
      const name = number === 1 ? 'cloud' : `cloud-${number}`;
      if (!taken.has(name)) return name;
    }
  }
}
