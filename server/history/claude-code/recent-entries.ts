/** The newest lines by id: a line names the line before it, which is never far away. */

const entriesMax = 20_000;

interface RecentEntry {
  /** Milliseconds since the epoch. */
  atMs: number;
  promptId: string;
}

export class RecentEntries {
  readonly #entries = new Map<string, RecentEntry>();

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  get(id: string): RecentEntry | undefined {
    return this.#entries.get(id);
  }

  add(id: string, entry: RecentEntry): void {
    this.#entries.set(id, entry);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > entriesMax) this.#entries.delete(oldest);
  }
}
