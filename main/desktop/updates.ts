/**
 * Updates with consent: no network request before the user agreed to checks, no download before they agree to the version, and installation
 * when they quit, with the usual drain of the gateway.
 */
import { z } from 'zod';
import type { Ask } from './ask.ts';
import { DurableFile } from './durable-file.ts';

/** Interface to electron-updater, without its automatic behaviour. */
export interface Updater {
  /** Newer version; null for none. Downloads nothing. */
  find(): Promise<string | null>;
  /** Downloads the version that was found, checks its signature, and leaves it to be installed when the app quits. */
  fetch(): Promise<void>;
}

interface UpdateOptions {
  updater: Updater;
  ask: Ask;
  /** File with the user's choices. */
  file: string;
  /** Version of the running app. */
  version: string;
  quit(): void;
  now?: () => number;
}

export const dayMs = 24 * 3600 * 1000;

const fields = {
  /** Whether to check once a day; null until the user was asked. */
  daily: z.boolean().nullable().default(null),
  /** A version that the user chose to skip. */
  skipped: z.string().default(''),
  looked_ms: z.number().default(0),
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

export class Updates {
  readonly #options: UpdateOptions;
  readonly #file: DurableFile<typeof fields>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  /** An update was downloaded and is installed when the app quits. */
  #isDownloaded = false;

  constructor(options: UpdateOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#file = new DurableFile(options.file, { fields });
  }

  /** Check by the user: every outcome is reported. One check at a time. */
  check(): Promise<void> {
    return this.#runOnce(() => this.#check(true));
  }

  /** Scheduled check: only with consent and after a day; only an update is reported. */
  checkWhenDue(): Promise<void> {
    const { daily, looked_ms } = this.#file.values;
    const isDue = Math.abs(this.#now() - looked_ms) >= dayMs;
    return daily === true && isDue ? this.#runOnce(() => this.#check(false)) : Promise.resolve();
  }

  #runOnce(check: () => Promise<void>): Promise<void> {
    this.#running ??= check().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #check(isManual: boolean): Promise<void> {
    const { updater, version } = this.#options;
    if (this.#isDownloaded) return this.#offerToQuit();
    try {
      this.#file.change({ looked_ms: this.#now() });
      const newVersion = await updater.find();
      if (newVersion !== null && (isManual || newVersion !== this.#file.values.skipped)) await this.#offer(newVersion);
      if (newVersion === null && isManual) await this.#tell('Glasshouse is up to date', `This is ${version}, the newest version.`);
    } catch (error) {
      if (isManual) await this.#tell('Could not check for updates', messageOf(error));
    }
    if (isManual) await this.#askForDaily();
  }

  async #offer(newVersion: string): Promise<void> {
    const choice = await this.#options.ask({
      type: 'question',
      message: `Glasshouse ${newVersion} is available`,
      detail: `You have ${this.#options.version}. It is downloaded now and installed when you quit. Traces are not affected.`,
      buttons: ['Download', 'Skip this version', 'Not now'],
    });
    if (choice === 1) this.#file.change({ skipped: newVersion });
    if (choice !== 0) return;
    try {
      await this.#options.updater.fetch();
    } catch (error) {
      return this.#tell(`Glasshouse ${newVersion} could not be downloaded`, messageOf(error));
    }
    this.#isDownloaded = true;
    await this.#offerToQuit();
  }

  async #offerToQuit(): Promise<void> {
    const detail = 'Requests in progress are finished first.';
    const choice = await this.#options.ask({
      type: 'question',
      message: 'The update is installed when you quit',
      detail,
      buttons: ['Quit now', 'Later'],
    });
    if (choice === 0) this.#options.quit();
  }

  async #askForDaily(): Promise<void> {
    if (this.#file.values.daily !== null) return;
    const choice = await this.#options.ask({
      type: 'question',
      message: 'Check for updates once a day?',
      detail: 'The release server sees your address and your version. No trace data is sent.',
      buttons: ['Check once a day', 'Only when I ask'],
    });
    this.#file.change({ daily: choice === 0 });
  }

  async #tell(message: string, detail: string): Promise<void> {
    await this.#options.ask({ type: 'info', message, detail, buttons: ['OK'] });
  }
}
