/** What was read of each session, in a file, so that a restart goes on where it was. Losing it costs time only: spans are stored once. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { jsonOf } from '../../platform/json.ts';
import type { Session } from '../session-source.ts';
import { type HistoryAgent, historyAgents } from '../sources.ts';

const readSession = z.object({
  /** Size, time and number of files when they were read. */
  bytes: z.number(),
  modifiedMs: z.number(),
  files: z.number(),
  /** Whether its last turn was taken to be over. */
  isOver: z.boolean(),
  /** When it is taken to be over, if nothing more is written. Milliseconds since the epoch. */
  overMs: z.number().default(0),
  /** How many lines of each file are stored, by its path. */
  lines: z.record(z.string(), z.number()),
  traces: z.number(),
  /** What could not be read. */
  damagedLines: z.number(),
  longLines: z.number(),
  unreadable: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type ReadSession = z.output<typeof readSession>;

const document = z.object({
  version: z.literal(1),
  /** Of the store that it was read into. */
  installation: z.string(),
  sessions: z.partialRecord(z.enum(historyAgents), z.record(z.string(), readSession)),
});

export class ReadSessions {
  readonly #file: string;
  readonly #installation: string;
  readonly #sessions: Record<HistoryAgent, Map<string, ReadSession>>;
  isSaved = true;

  /** @param installation id of the store; what was read into another one is read again */
  constructor(file: string, installation: string) {
    this.#file = file;
    this.#installation = installation;
    const found = document.safeParse(jsonOf(textOf(file)));
    const read = found.success && found.data.installation === installation ? found.data.sessions : {};
    const of = (agent: HistoryAgent) => new Map(Object.entries(read[agent] ?? {}));
    this.#sessions = { 'claude-code': of('claude-code'), codex: of('codex'), gemini: of('gemini'), pi: of('pi') };
  }

  find(agent: HistoryAgent, id: string): ReadSession | undefined {
    return this.#sessions[agent].get(id);
  }

  set(agent: HistoryAgent, id: string, session: ReadSession): void {
    this.#sessions[agent].set(id, session);
    this.isSaved = false;
  }

  /** Whether nothing was written to a session since it was read. */
  isCurrent(agent: HistoryAgent, { id, bytes, modifiedMs, files }: Session): boolean {
    const read = this.find(agent, id);
    return read?.bytes === bytes && read.modifiedMs === modifiedMs && read.files === files.length;
  }

  /** Forgets sessions that were deleted. */
  keep(agent: HistoryAgent, ids: ReadonlySet<string>): void {
    for (const id of this.#sessions[agent].keys()) if (!ids.has(id)) this.#sessions[agent].delete(id);
  }

  all(agent: HistoryAgent): Iterable<ReadSession> {
    return this.#sessions[agent].values();
  }

  /** @throws what the file system throws */
  save(): void {
    const sessions = Object.fromEntries(historyAgents.map((agent) => [agent, Object.fromEntries(this.#sessions[agent])]));
    const text = JSON.stringify({ version: 1, installation: this.#installation, sessions });
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.isSaved = true;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
