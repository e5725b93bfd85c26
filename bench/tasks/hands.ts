/** A person at mouse and keyboard, whose acts are counted. */
import type { Locator, Page } from '@playwright/test';

export interface Effort {
  clicks: number;
  /** A typed line counts as one. */
  keys: number;
  seconds: number;
}

export class Hands {
  readonly page: Page;
  #clicks = 0;
  #keys = 0;
  #beganMs: number | undefined;
  #endedMs: number | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  /** Starts the clock. The first act does, unless something else is the beginning: a program that is started, a file that is saved. */
  begin(): void {
    this.#beganMs ??= performance.now();
  }

  /** Stops the clock: what has been asked for is on the screen. */
  end(): void {
    this.#endedMs ??= performance.now();
  }

  async click(target: Locator): Promise<void> {
    this.begin();
    this.#clicks++;
    await target.click();
  }

  /** Keys one after the other. A pair such as `g s` is two keys, both sent at once, as a busy page handles them late. */
  async press(...keys: readonly string[]): Promise<void> {
    this.begin();
    for (const key of keys) {
      const pair = /^\w \w$/.test(key) ? key.split(' ') : [key];
      this.#keys += pair.length;
      await Promise.all(pair.map((one) => this.page.keyboard.press(one)));
    }
  }

  /** Writes where the focus is. */
  async type(line: string): Promise<void> {
    this.begin();
    this.#keys++;
    await this.page.keyboard.type(line);
  }

  /** Replaces the text of a field. */
  async fill(field: Locator, line: string): Promise<void> {
    this.begin();
    this.#keys++;
    await field.fill(line);
  }

  effort(): Effort {
    const seconds = this.#beganMs === undefined ? 0 : ((this.#endedMs ?? performance.now()) - this.#beganMs) / 1000;
    return { clicks: this.#clicks, keys: this.#keys, seconds };
  }
}
