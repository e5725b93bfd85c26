/** Days of a time zone. */

const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;
/** Quarters of an hour that are remembered: those of a year. */
const rememberedMax = 40_000;

export class LocalDays {
  readonly #format: Intl.DateTimeFormat;
  /** By quarter of an hour: no zone changes its day or its offset within one. */
  readonly #days = new Map<number, string>();

  /** @throws RangeError for a zone that does not exist */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  }

  /** `2026-11-29` @param ms since the epoch */
  dayOf(ms: number): string {
    const quarter = Math.floor(ms / quarterMs);
    let day = this.#days.get(quarter);
    if (day === undefined) {
      if (this.#days.size >= rememberedMax) this.#days.clear();
      day = new Date(this.#localMs(quarter * quarterMs)).toISOString().slice(0, 10);
      this.#days.set(quarter, day);
    }
    return day;
  }

  /** When the day began that a time belongs to. */
  startOfDay(ms: number): number {
    return this.#firstOf(Math.floor(this.#localMs(ms) / dayMs) * dayMs);
  }

  /** When the next day begins. */
  endOfDay(ms: number): number {
    return this.#firstOf((Math.floor(this.#localMs(ms) / dayMs) + 1) * dayMs);
  }

  /** The first moment that clocks show that time or, where they skip it, a later one. */
  #firstOf(localMs: number): number {
    const offsets = [-dayMs, dayMs].map((off) => this.#localMs(localMs + off) - (localMs + off));
    const found = offsets.map((offset) => localMs - offset).filter((ms) => this.#localMs(ms) >= localMs);
    return found.length > 0 ? Math.min(...found) : localMs - Math.min(...offsets);
  }

  /** What clocks of the zone show, as if it were UTC. */
  #localMs(ms: number): number {
    const parts = Object.fromEntries(this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
}
