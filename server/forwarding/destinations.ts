/**
 * The destinations of this machine. Changes run one at a time; each destination sends independently. Keys are only in the secret store and in
 * memory, never in a response.
 */
import type { Destination as Shown } from '../../shared/contract/operations/destination.ts';
import type { EncodedPage } from '../telemetry/encoded.ts';
import type { DeadLetter, ForwardRecord } from '../telemetry/forward-store.ts';
import { CloudLine, problemOfAddress } from './cloud-line.ts';
import { Counts } from './counts.ts';
import { Destination, type ForwardingParts } from './destination.ts';
import { type About, readAbout } from './destination-about.ts';
import type { EnvironmentDestination } from './environment-destination.ts';
import { DestinationProblem, examine, identityAt } from './examine.ts';
import { environmentName } from './secrets/environment-secrets.ts';
import { destinationKeyOf } from './secrets/secret-store.ts';
import { shownDestination } from './shown-destination.ts';

/** Properties of a new destination. */
export interface NewDestination {
  name: string;
  url: string;
  app_id: string;
  key: string;
  with_all: boolean;
  automatic: boolean;
  is_paused: boolean;
  tenant_name?: string;
  app_name?: string;
  environment?: string | null;
}

/** Changed properties; absent ones are not changed. */
export interface DestinationChange {
  is_paused?: boolean | undefined;
  automatic?: boolean | undefined;
  url?: string | undefined;
  app_id?: string | undefined;
  key?: string | undefined;
  policy?: About['policy'] | undefined;
}

/** Delay before another attempt to read a store. */
const retryMs = 5_000;

/** A destination of that name exists. */
export class NameTaken extends Error {}

export class Forwarding {
  /** Id of our store; empty until it is read. */
  installation = '';
  readonly #parts: ForwardingParts;
  readonly #fromEnvironment: EnvironmentDestination | null;
  readonly #destinations = new Map<string, Destination>();
  readonly #counts: Counts;
  #lastChange: Promise<unknown> = Promise.resolve();
  #isLoaded = false;
  #isStopped = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(parts: ForwardingParts, fromEnvironment: EnvironmentDestination | null) {
    this.#parts = parts;
    this.#fromEnvironment = fromEnvironment;
    this.#counts = new Counts(parts);
  }

  /**
   * Must run before ingest starts, so that all spans are queued for the destination from the environment, too. Never rejects; `start` retries.
   */
  async prepare(): Promise<void> {
    try {
      if (this.#fromEnvironment) await this.#storeEnvironment(this.#fromEnvironment, await this.#records());
    } catch (error) {
      this.#parts.log.error('forwarding_not_prepared', { reason: String(error) });
    }
  }

  /** Starts the stored destinations and the one of the environment. Called after the gateway answers, so that forwarding delays no start. */
  start(): void {
    this.#loaded().catch((error: unknown) => {
      if (this.#isStopped) return;
      this.#parts.log.error('forwarding_not_started', { reason: String(error), again_in_ms: retryMs });
      this.#retry = setTimeout(() => this.start(), retryMs);
    });
  }

  /** The known store ids of the destinations. */
  forwardsTo(): string[] {
    return [...this.#destinations.values()].flatMap(({ about }) => about.installation ?? []);
  }

  async list(): Promise<Shown[]> {
    await this.#loaded();
    return Promise.all((await this.#records()).map((record) => this.#shown(record)));
  }

  /** Null for an unknown destination. */
  async find(name: string): Promise<Shown | null> {
    await this.#loaded();
    const record = (await this.#records()).find((stored) => stored.name === name);
    return record ? this.#shown(record) : null;
  }

  /** Checks a new destination, stores it and starts forwarding. @throws DestinationProblem, NameTaken, SecretStoreError */
  create(destination: NewDestination): Promise<void> {
    return this.#inTurn(async () => {
      const { name, key, with_all, automatic, ...target } = destination;
      if (this.#destinations.has(name)) throw new NameTaken(`There is a destination named ${name}`);
      const address = { ...target, url: originOf(target.url) };
      const identity = await examine({ ...address, key }, this.installation);
      const { telemetry, scope, secrets } = this.#parts;
      await secrets.write(destinationKeyOf(name), key);
      const about = JSON.stringify(readAbout(JSON.stringify({ ...address, ...identity })));
      try {
        await telemetry.forwarding.begin(scope, name, with_all, { automatic, about });
      } catch (error) {
        await secrets.remove(destinationKeyOf(name));
        throw error;
      }
      await this.#startDestination({ name, about, failure: '' });
    });
  }

  /** @returns false for an unknown destination @throws DestinationProblem, SecretStoreError */
  change(name: string, { automatic, key, ...change }: DestinationChange): Promise<boolean> {
    return this.#inTurn(async () => {
      const destination = this.#destinations.get(name);
      if (!destination) return false;
      const { telemetry, scope, secrets } = this.#parts;
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const about: About = { ...destination.about, ...given };
      about.url = originOf(about.url);
      const isUrlChanged = about.url !== destination.about.url;
      if (isUrlChanged)
        Object.assign(about, { tenant_name: null, app_name: null, environment: null, installation: null, viewer_url: null });
      const problem = problemOfAddress(about.url);
      if (problem) throw new DestinationProblem('url', problem);
      // Nobody tells the environment of a pasted key.
      if (key !== undefined) Object.assign(about, await examine({ ...about, key }, this.installation), { environment: null });
      if (about.app_id !== destination.about.app_id) about.app_name = null;
      const records = await this.#records();
      // A key is never sent to the wrong address: the old key is removed first, the new one stored last.
      if (isUrlChanged) await secrets.remove(destinationKeyOf(name));
      if (isUrlChanged) await destination.stop();
      await telemetry.forwarding.set(scope, name, { about: JSON.stringify(about), ...(automatic !== undefined && { automatic }) });
      const isSameTarget = !isUrlChanged && key === undefined && about.app_id === destination.about.app_id;
      destination.about = about;
      if (!isSameTarget) destination.obstacle = null;
      try {
        if (key !== undefined) await secrets.write(destinationKeyOf(name), key);
      } finally {
        await destination.start((isSameTarget && records.find((record) => record.name === name)?.failure) || '');
      }
      return true;
    });
  }

  /** Removes the destination, not the telemetry. @returns false for an unknown one @throws SecretStoreError */
  remove(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const destination = this.#destinations.get(name);
      if (!destination) return false;
      await this.#parts.secrets.remove(destinationKeyOf(name));
      await destination.stop();
      await this.#parts.telemetry.forwarding.end(this.#parts.scope, name);
      this.#destinations.delete(name);
      return true;
    });
  }

  /** Ends a wait or a pause. Reads the key again, which may have been stored meanwhile. */
  retry(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const destination = this.#destinations.get(name);
      if (destination?.state.is === 'paused') await destination.start('');
      destination?.wake();
    });
  }

  deadLetters(name: string, page: { limit: number; offset: number }): Promise<EncodedPage<DeadLetter>> {
    return this.#parts.telemetry.forwarding.deadLetters(this.#parts.scope, name, page);
  }

  deadLetterLines(name: string, most: number): Promise<Uint8Array> {
    return this.#parts.telemetry.forwarding.deadLetterLines(this.#parts.scope, name, most);
  }

  async retryDeadLetters(name: string): Promise<void> {
    await this.#parts.telemetry.forwarding.retryDeadLetters(this.#parts.scope, name);
    this.#onQueued(name);
  }

  /** Queues all messages of these traces, also those that were sent. */
  async forwardTraces(name: string, traceIds: readonly string[]): Promise<void> {
    await this.#parts.telemetry.forwarding.queueTraces(this.#parts.scope, name, traceIds);
    this.#onQueued(name);
  }

  /** Forwarding states of traces at all destinations. */
  async states(traceIds: readonly string[]) {
    await this.#loaded();
    const found = (await this.#parts.telemetry.forwarding.traces(this.#parts.scope, traceIds)).decode();
    return { names: [...this.#destinations.keys()], found };
  }

  /** Aborts running requests; their batches are sent again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#retry) clearTimeout(this.#retry);
    await this.#lastChange;
    await Promise.all([...this.#destinations.values()].map((destination) => destination.stop()));
  }

  #onQueued(name: string): void {
    this.#counts.forget(name);
    const destination = this.#destinations.get(name);
    if (destination?.state.is === 'up_to_date') destination.wake();
  }

  async #shown(record: ForwardRecord): Promise<Shown> {
    const destination = this.#destinations.get(record.name);
    return shownDestination(record, destination, await this.#counts.of(record.name), this.#parts.secrets.isDurable);
  }

  async #records(): Promise<ForwardRecord[]> {
    return (await this.#parts.telemetry.forwarding.list(this.#parts.scope)).decode();
  }

  async #startDestination(record: Pick<ForwardRecord, 'name' | 'about' | 'failure'>): Promise<void> {
    const destination = new Destination(this.#parts, this.installation, record);
    this.#destinations.set(record.name, destination);
    await destination.start(record.failure);
    if (record.name === environmentName || destination.about.viewer_url === null) void this.#identify(destination);
  }

  /**
   * A destination from the environment is not checked before it is stored, because it may be down at our start. It must not be this gateway. One
   * that an earlier version stored has no address of the viewer.
   */
  async #identify(destination: Destination): Promise<void> {
    const { url, app_id } = destination.about;
    if (destination.about.is_paused || problemOfAddress(url) !== null) return;
    const line = new CloudLine({ url, key: '', appId: app_id });
    try {
      Object.assign(destination.about, await identityAt(line, url, this.installation));
    } catch (error) {
      if (!(error instanceof DestinationProblem)) throw error;
      destination.obstacle = { why: 'itself', message: error.message };
      await destination.stop();
    } finally {
      line.close();
    }
  }

  async #storeEnvironment({ url, app_id }: EnvironmentDestination, records: readonly ForwardRecord[]): Promise<void> {
    const { telemetry, scope } = this.#parts;
    const record = records.find(({ name }) => name === environmentName);
    const previous = record && readAbout(record.about);
    if (previous?.url === url && previous.app_id === app_id) return;
    const about = JSON.stringify({ ...previous, url, app_id, installation: null, viewer_url: null });
    if (record) await telemetry.forwarding.set(scope, environmentName, { about });
    else await telemetry.forwarding.begin(scope, environmentName, false, { about });
    if (record) await telemetry.forwarding.recordFailure(scope, environmentName, '', record.last_error);
  }

  /** Runs changes one after another, after the stored state is loaded. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(async () => {
      await this.#load();
      return work();
    });
    this.#lastChange = result.catch(() => {
      // The caller handles the error; the next change is independent.
    });
    return result;
  }

  /** Reads the stored state unless it is loaded. After a failure the next call tries again. */
  async #loaded(): Promise<void> {
    if (!this.#isLoaded) await this.#inTurn(async () => {});
  }

  async #load(): Promise<void> {
    if (this.#isLoaded || this.#isStopped) return;
    const { telemetry, scope } = this.#parts;
    this.installation = (await telemetry.forwarding.installation(scope)).decode();
    if (this.#fromEnvironment) await this.#storeEnvironment(this.#fromEnvironment, await this.#records());
    for (const record of await this.#records()) await this.#startDestination(record);
    this.#isLoaded = true;
  }
}

/** Only the origin is stored, because people paste addresses of pages. Invalid addresses are returned unchanged, for the error. */
const originOf = (url: string): string => {
  const trimmed = url.trim();
  return URL.canParse(trimmed) && problemOfAddress(trimmed) === null ? new URL(trimmed).origin : trimmed;
};
