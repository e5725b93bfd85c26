/**
 * Updates with consent: no network request before the user agreed to checks, no download before they agree to the version, and installation
 * when they quit, with the usual drain of the gateway.
 */
import { z } from 'zod';
import type { Ask } from './ask.ts';
import { KeptFile } from './kept-file.ts';

/** Interface to electron-updater, without its automatic behaviour. */
export interface Updater {
  /** Newer version; null for none. Downloads nothing. */
  find(): Promise<string | null>;
  /** Fetches the version that was found, checks its signature, and leaves it to be installed when the app quits. */
  fetch(): Promise<void>;
}

interface Needs {
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

const kept = {
  /** Whether to check once a day; null until the user was asked. */
  daily: z.boolean().nullable().default(null),
  /** A version that the user does not want to hear of again. */
  skipped: z.string().default(''),
  looked_ms: z.number().default(0),
};

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

export class Updates {
  readonly #needs: Needs;
  readonly #kept: KeptFile<typeof kept>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  /** Fetched and waiting for the app to quit. */
  #waiting = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#now = needs.now ?? Date.now;
    this.#kept = new KeptFile(needs.file, { fields: kept });
  }

  /** Check by the user: every outcome is reported. One check at a time. */
  check(): Promise<void> {
    return this.#once(() => this.#look(true));
  }

  /** Scheduled check: only with consent and after a day; only an update is reported. */
  checkWhenDue(): Promise<void> {
    const { daily, looked_ms } = this.#kept.values;
    const isDue = Math.abs(this.#now() - looked_ms) >= dayMs;
    return daily === true && isDue ? this.#once(() => this.#look(false)) : Promise.resolve();
  }

  #once(look: () => Promise<void>): Promise<void> {
    this.#running ??= look().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #look(isAsked: boolean): Promise<void> {
    const { updater, version } = this.#needs;
    if (this.#waiting) return this.#offerToQuit();
    try {
      this.#kept.change({ looked_ms: this.#now() });
      const found = await updater.find();
      if (found !== null && (isAsked || found !== this.#kept.values.skipped)) await this.#offer(found);
      if (found === null && isAsked) await this.#tell('Glasshouse is up to date', `This is ${version}, the newest version.`);
    } catch (error) {
      if (isAsked) await this.#tell('Updates could not be looked for', said(error));
    }
    if (isAsked) await this.#askForDaily();
  }

  async #offer(found: string): Promise<void> {
    const choice = await this.#needs.ask({
      type: 'question',
      message: `Glasshouse ${found} is there`,
      detail: `You have ${this.#needs.version}. It is fetched now and installed when you quit. Traces stay as they are.`,
      buttons: ['Fetch', 'Skip this version', 'Not now'],
    });
    if (choice === 1) this.#kept.change({ skipped: found });
    if (choice !== 0) return;
    try {
      await this.#needs.updater.fetch();
    } catch (error) {
      return this.#tell(`Glasshouse ${found} could not be fetched`, said(error));
    }
    this.#waiting = true;
    await this.#offerToQuit();
  }

  async #offerToQuit(): Promise<void> {
    const detail = 'Requests that are being taken in are finished first.';
    const choice = await this.#needs.ask({
      type: 'question',
      message: 'The update is installed when you quit',
      detail,
      buttons: ['Quit now', 'Later'],
    });
    if (choice === 0) this.#needs.quit();
  }

  async #askForDaily(): Promise<void> {
    if (this.#kept.values.daily !== null) return;
    const choice = await this.#needs.ask({
      type: 'question',
      message: 'Look for updates once a day?',
      detail: 'The release server sees your address and your version. Nothing of your traces is sent.',
      buttons: ['Look once a day', 'Only when I ask'],
    });
    this.#kept.change({ daily: choice === 0 });
  }

  async #tell(message: string, detail: string): Promise<void> {
    await this.#needs.ask({ type: 'info', message, detail, buttons: ['OK'] });
  }
}
