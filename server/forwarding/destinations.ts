/**
 * The destinations of this machine. Changes run one at a time; each destination sends independently. Keys are in the secret store and in
 * memory, and in no answer.
 */
import type { Destination as Shown } from '../../shared/contract/operations/destination.ts';
import type { EncodedPage } from '../telemetry/encoded.ts';
import type { DeadLetter, ForwardRecord } from '../telemetry/forward-store.ts';
import { CloudLine, problemOfAddress } from './cloud-line.ts';
import { Counts } from './counts.ts';
import { Destination, type ForwardingParts } from './destination.ts';
import { type About, readAbout } from './destination-about.ts';
import type { EnvironmentDestination } from './environment-destination.ts';
import { DestinationProblem, examine, installationAt } from './examine.ts';
import { environmentName } from './secrets/environment-secrets.ts';
import { destinationKeyOf } from './secrets/secret-store.ts';
import { shownDestination } from './shown-destination.ts';

/** Properties of an entered or linked destination. */
export interface NewPlace {
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

/** Changed properties; absent ones stay. */
export interface PlaceChange {
  is_paused?: boolean | undefined;
  automatic?: boolean | undefined;
  url?: string | undefined;
  app_id?: string | undefined;
  key?: string | undefined;
  policy?: About['policy'] | undefined;
}

/** A store that could not be read is read again after this. */
const restartMs = 5_000;

/** There is one of that name. */
export class NameTaken extends Error {}

export class Forwarding {
  /** Names our store to others; empty until it is known. */
  installation = '';
  readonly #parts: ForwardingParts;
  readonly #fromEnvironment: EnvironmentDestination | null;
  readonly #all = new Map<string, Destination>();
  readonly #counts: Counts;
  #turn: Promise<unknown> = Promise.resolve();
  #isLoaded = false;
  #isOver = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(parts: ForwardingParts, fromEnvironment: EnvironmentDestination | null) {
    this.#parts = parts;
    this.#fromEnvironment = fromEnvironment;
    this.#counts = new Counts(parts);
  }

  /**
   * Runs before ingest starts: from then on spans are queued for the destination from the environment, too. Never rejects; `start` retries.
   */
  async prepare(): Promise<void> {
    try {
      if (this.#fromEnvironment) await this.#keepEnvironment(this.#fromEnvironment, await this.#kept());
    } catch (error) {
      this.#parts.log.error('forwarding_not_prepared', { reason: String(error) });
    }
  }

  /** Starts the stored destinations and the one of the environment. Called after the gateway answers, so that forwarding delays no start. */
  start(): void {
    this.#loaded().catch((error: unknown) => {
      if (this.#isOver) return;
      this.#parts.log.error('forwarding_not_started', { reason: String(error), again_in_ms: restartMs });
      this.#restart = setTimeout(() => this.start(), restartMs);
    });
  }

  /** Ids of the stores at the destinations, as far as known. */
  forwardsTo(): string[] {
    return [...this.#all.values()].flatMap(({ about }) => about.installation ?? []);
  }

  async list(): Promise<Shown[]> {
    await this.#loaded();
    const kept = await this.#kept();
    return Promise.all(kept.map((record) => this.#shown(record)));
  }

  /** Null for an unknown destination. */
  async find(name: string): Promise<Shown | null> {
    await this.#loaded();
    const record = (await this.#kept()).find((each) => each.name === name);
    return record ? this.#shown(record) : null;
  }

  /** Tries it, keeps it and begins. @throws DestinationProblem, NameTaken, SecretStoreError */
  create(place: NewPlace): Promise<void> {
    return this.#inTurn(async () => {
      const { name, key, with_all, automatic, ...where } = place;
      if (this.#all.has(name)) throw new NameTaken(`There is a destination named ${name}`);
      const address = { ...where, url: originOf(where.url) };
      const installation = await examine({ ...address, key }, this.installation);
      const { telemetry, scope, secrets } = this.#parts;
      await secrets.write(destinationKeyOf(name), key);
      const about = JSON.stringify(readAbout(JSON.stringify({ ...address, installation })));
      try {
        await telemetry.forwarding.begin(scope, name, with_all, { automatic, about });
      } catch (error) {
        await secrets.remove(destinationKeyOf(name));
        throw error;
      }
      await this.#begin({ name, about, standing: '' });
    });
  }

  /** @returns false for an unknown destination @throws DestinationProblem, SecretStoreError */
  change(name: string, { automatic, key, ...change }: PlaceChange): Promise<boolean> {
    return this.#inTurn(async () => {
      const destination = this.#all.get(name);
      if (!destination) return false;
      const { telemetry, scope, secrets } = this.#parts;
      const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const about: About = { ...destination.about, ...said };
      about.url = originOf(about.url);
      const isElsewhere = about.url !== destination.about.url;
      if (isElsewhere) Object.assign(about, { tenant_name: null, app_name: null, environment: null, installation: null });
      const problem = problemOfAddress(about.url);
      if (problem) throw new DestinationProblem('url', problem);
      if (key !== undefined) about.installation = await examine({ ...about, key }, this.installation);
      const kept = await this.#kept();
      // The key never meets a wrong address: the old key is removed first, the new one stored last.
      if (isElsewhere) await secrets.remove(destinationKeyOf(name));
      if (isElsewhere) await destination.stop();
      await telemetry.forwarding.set(scope, name, { about: JSON.stringify(about), ...(automatic !== undefined && { automatic }) });
      const isAsItWas = !isElsewhere && key === undefined && about.app_id === destination.about.app_id;
      destination.about = about;
      if (!isAsItWas) destination.obstacle = null;
      try {
        if (key !== undefined) await secrets.write(destinationKeyOf(name), key);
      } finally {
        await destination.start((isAsItWas && kept.find((each) => each.name === name)?.standing) || '');
      }
      return true;
    });
  }

  /** Removes the destination, not the telemetry. @returns false for an unknown one @throws SecretStoreError */
  remove(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const destination = this.#all.get(name);
      if (!destination) return false;
      await this.#parts.secrets.remove(destinationKeyOf(name));
      await destination.stop();
      await this.#parts.telemetry.forwarding.end(this.#parts.scope, name);
      this.#all.delete(name);
      return true;
    });
  }

  /** Tries again now. A key that was put where keys are kept meanwhile is found. */
  retry(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const destination = this.#all.get(name);
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
    this.#changed(name);
  }

  /** All of them waits from now on, whatever was sent before. */
  async forwardTraces(name: string, traceIds: readonly string[]): Promise<void> {
    await this.#parts.telemetry.forwarding.queueTraces(this.#parts.scope, name, traceIds);
    this.#changed(name);
  }

  /** Forwarding states of traces at all destinations. */
  async states(traceIds: readonly string[]) {
    await this.#loaded();
    const found = (await this.#parts.telemetry.forwarding.traces(this.#parts.scope, traceIds)).decode();
    return { names: [...this.#all.keys()], found };
  }

  /** Aborts running requests; their batches are sent again after the next start. */
  async stop(): Promise<void> {
    this.#isOver = true;
    if (this.#restart) clearTimeout(this.#restart);
    await this.#turn;
    await Promise.all([...this.#all.values()].map((destination) => destination.stop()));
  }

  #changed(name: string): void {
    this.#counts.forget(name);
    const destination = this.#all.get(name);
    if (destination?.state.is === 'up_to_date') destination.wake();
  }

  async #shown(record: ForwardRecord): Promise<Shown> {
    const destination = this.#all.get(record.name);
    return shownDestination(record, destination, await this.#counts.of(record.name), this.#parts.secrets.isDurable);
  }

  async #kept(): Promise<ForwardRecord[]> {
    return (await this.#parts.telemetry.forwarding.list(this.#parts.scope)).decode();
  }

  async #begin(record: Pick<ForwardRecord, 'name' | 'about' | 'standing'>): Promise<void> {
    const destination = new Destination(this.#parts, this.installation, record);
    this.#all.set(record.name, destination);
    await destination.start(record.standing);
    if (record.name === environmentName) void this.#lookWhoItIs(destination);
  }

  /** A destination set by a program is not tried first, because it may be down at our start. It must not be this gateway. */
  async #lookWhoItIs(destination: Destination): Promise<void> {
    const { url, app_id } = destination.about;
    if (destination.about.is_paused || problemOfAddress(url) !== null) return;
    const line = new CloudLine({ url, key: '', appId: app_id });
    try {
      destination.about.installation = await installationAt(line, this.installation);
    } catch (error) {
      if (!(error instanceof DestinationProblem)) throw error;
      destination.obstacle = { why: 'itself', message: error.message };
      await destination.stop();
    } finally {
      line.close();
    }
  }

  async #keepEnvironment({ url, app_id }: EnvironmentDestination, kept: readonly ForwardRecord[]): Promise<void> {
    const { telemetry, scope } = this.#parts;
    const before = kept.find(({ name }) => name === environmentName);
    const was = before && readAbout(before.about);
    if (was?.url === url && was.app_id === app_id) return;
    const about = JSON.stringify({ ...was, url, app_id, installation: null });
    if (before) await telemetry.forwarding.set(scope, environmentName, { about });
    else await telemetry.forwarding.begin(scope, environmentName, false, { about });
    if (before) await telemetry.forwarding.note(scope, environmentName, '', before.last_error);
  }

  /** Runs changes one after another, after the stored state is loaded. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(async () => {
      await this.#load();
      return work();
    });
    this.#turn = done.catch(() => {
      // The caller handles the error; the next change is independent.
    });
    return done;
  }

  /** A store that could not be read is tried again with the next question. */
  async #loaded(): Promise<void> {
    if (!this.#isLoaded) await this.#inTurn(async () => {});
  }

  async #load(): Promise<void> {
    if (this.#isLoaded || this.#isOver) return;
    const { telemetry, scope } = this.#parts;
    this.installation = (await telemetry.forwarding.installation(scope)).decode();
    if (this.#fromEnvironment) await this.#keepEnvironment(this.#fromEnvironment, await this.#kept());
    for (const record of await this.#kept()) await this.#begin(record);
    this.#isLoaded = true;
  }
}

/** Origin to store, because people paste addresses of pages. Invalid addresses are returned unchanged, for the error. */
const originOf = (url: string): string => {
  const trimmed = url.trim();
  return URL.canParse(trimmed) && problemOfAddress(trimmed) === null ? new URL(trimmed).origin : trimmed;
};
