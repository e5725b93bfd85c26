/** Reads the text of a session file, line by line. */
import type { HistorySpan } from '../otlp-span.ts';
import type { LineReader } from '../read-file.ts';
import type { SubAgent } from '../turn.ts';
import { readEntry } from './session-entry.ts';
import { SessionReader } from './session-reader.ts';
import { Sidechains } from './sidechains.ts';

export interface ConversationOptions {
  /** Turns that began before are left out. Milliseconds since the epoch. */
  sinceMs: number;
  /** Null for the session itself. */
  agent: SubAgent | null;
  /** Of lines that do not name their prompt, in the file of a sub-agent; '' where it is not known. */
  promptId: string;
}

export class Conversation implements LineReader {
  readonly #reader: SessionReader;
  readonly #sidechains: Sidechains | null;
  readonly #promptId: string;
  /** Lines that are incomplete or damaged. */
  damaged = 0;

  constructor({ sinceMs, agent, promptId }: ConversationOptions) {
    this.#reader = new SessionReader({ sinceMs, agent });
    this.#sidechains = agent === null ? new Sidechains(this.#reader, sinceMs) : null;
    this.#promptId = promptId;
  }

  get startedAgents(): SessionReader['startedAgents'] {
    return this.#reader.startedAgents;
  }

  get hasOpenWork(): boolean {
    return this.#reader.hasOpenWork;
  }

  /** @returns the spans that are complete now */
  read(line: string): HistorySpan[] {
    if (line.trim() === '') return [];
    const entry = readEntry(line);
    if (entry === 'damaged') this.damaged++;
    if (entry === 'damaged' || entry === null) return [];
    if (entry.isSidechain && this.#sidechains) return this.#sidechains.read(entry);
    return this.#reader.read({ ...entry, promptId: entry.promptId || this.#promptId });
  }

  /** @param isOver whether nothing will be added; else spans that may change have no end */
  end(isOver: boolean): HistorySpan[] {
    return [...(this.#sidechains?.end(isOver) ?? []), ...this.#reader.end(isOver)];
  }
}
