/**
 * What was read of each session, in a file, so that a restart goes on where it was. Without the file everything is read again: spans are not stored
 * twice, but traces that the user deleted come back. Each session that was read adds a line, so that saving takes time in proportion to what is new.
 */
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { jsonOf } from '../../platform/json.ts';
import type { Session } from '../session.ts';
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
  /** How many lines of each file are stored, with its path. A list takes half the memory of an object, whose keys no other has. */
  lines: z.array(z.tuple([z.string(), z.number()])),
  traces: z.number(),
  /** What could not be read. */
  damagedLines: z.number(),
  longLines: z.number(),
  unreadable: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type ReadSession = z.output<typeof readSession>;

/** The first line. */
const header = z.object({
  version: z.literal(2),
  /** Id of the store that it was read into. */
  installation: z.string(),
});

/** Of the lines of a session the last counts. Null: it was deleted. */
const entry = z.tuple([z.enum(historyAgents), z.string(), readSession.nullable()]);

/** The whole file of version 1. */
const version1 = z.object({
  version: z.literal(1),
  installation: z.string(),
  sessions: z.partialRecord(
    z.enum(historyAgents),
    z.record(z.string(), readSession.extend({ lines: z.record(z.string(), z.number()).transform((lines) => Object.entries(lines)) })),
  ),
});

/** UTF-16 code units of superseded lines that may be in the file, beside as many as are needed, before it is written anew. */
const spareLength = 1024 * 1024;
/** Lines of one write. */
const linesAtOnce = 1000;

/** As it is held in memory. There are tens of thousands, nearly all of one file that was read whole, so fields that these do not need are in an object of their own. */
interface HeldSession extends Pick<ReadSession, 'bytes' | 'modifiedMs' | 'files' | 'isOver' | 'overMs' | 'traces'> {
  /** The only file with lines that are stored, and how many; not used if there is `more`. */
  path: string;
  lines: number;
  more: Pick<ReadSession, 'lines' | 'damagedLines' | 'longLines' | 'unreadable'> | null;
}

function hold(id: string, { lines, damagedLines, longLines, unreadable, ...read }: ReadSession): HeldSession {
  const isWhole = damagedLines === 0 && longLines === 0 && unreadable.length === 0;
  const [[path, stored] = ['', 0]] = lines;
  return {
    bytes: read.bytes,
    modifiedMs: read.modifiedMs,
    files: read.files,
    isOver: read.isOver,
    overMs: read.overMs,
    traces: read.traces,
    path: path === id ? id : path,
    lines: stored,
    more: isWhole && lines.length === 1 ? null : { lines, damagedLines, longLines, unreadable },
  };
}

function readSessionOf({ path, lines, more, ...read }: HeldSession): ReadSession {
  return { ...read, ...(more ?? { lines: [[path, lines]], damagedLines: 0, longLines: 0, unreadable: [] }) };
}

/** Sums over the sessions of an agent that were read. */
export interface ReadTotals {
  traces: number;
  damagedLines: number;
  longLines: number;
  unreadable: ReadSession['unreadable'];
}

type Sessions = Record<HistoryAgent, Map<string, HeldSession>>;

export class ReadSessions {
  readonly #file: string;
  readonly #oldFile: string;
  readonly #installation: string;
  readonly #sessions: Sessions = { 'claude-code': new Map(), codex: new Map(), gemini: new Map(), pi: new Map() };
  /** Ids of the sessions whose lines are not written yet. */
  readonly #changed: Record<HistoryAgent, Set<string>> = { 'claude-code': new Set(), codex: new Set(), gemini: new Set(), pi: new Set() };
  /** In UTF-16 code units: what is in the file, and what was needed of it when it was read or written as a whole. Null: the next save writes all. */
  #length: { written: number; needed: number } | null = null;

  /**
   * @param file named `.jsonl`; one of version 1 is `.json` beside it
   * @param installation id of the store; what was read into another one is read again
   */
  constructor(file: string, installation: string) {
    this.#file = file;
    this.#oldFile = file.replace(/l$/, '');
    this.#installation = installation;
    const text = textOf(file);
    if (text === '') this.#readOld(textOf(this.#oldFile));
    else this.#read(text);
  }

  #read(text: string): void {
    const lines = text.split('\n');
    const first = header.safeParse(jsonOf(lines[0] ?? ''));
    if (!first.success || first.data.installation !== this.#installation) return;
    // What follows the last line end is half written.
    const needed = new Map<string, number>();
    for (const line of lines.slice(1, -1)) {
      const read = entry.safeParse(jsonOf(line));
      if (!read.success) continue;
      const [agent, id, session] = read.data;
      needed.set(`${agent} ${id}`, session ? line.length : 0);
      if (session) this.#sessions[agent].set(id, hold(id, session));
      else this.#sessions[agent].delete(id);
    }
    if (text.endsWith('\n')) this.#length = { written: text.length, needed: needed.values().reduce((sum, length) => sum + length, 0) };
  }

  #readOld(text: string): void {
    const found = version1.safeParse(jsonOf(text));
    if (!found.success || found.data.installation !== this.#installation) return;
    for (const agent of historyAgents)
      for (const [id, session] of Object.entries(found.data.sessions[agent] ?? {})) this.#sessions[agent].set(id, hold(id, session));
  }

  get isSaved(): boolean {
    return historyAgents.every((agent) => this.#changed[agent].size === 0);
  }

  find(agent: HistoryAgent, id: string): ReadSession | undefined {
    const held = this.#sessions[agent].get(id);
    return held && readSessionOf(held);
  }

  has(agent: HistoryAgent, id: string): boolean {
    return this.#sessions[agent].has(id);
  }

  set(agent: HistoryAgent, id: string, session: ReadSession): void {
    this.#sessions[agent].set(id, hold(id, session));
    this.#changed[agent].add(id);
  }

  /** Whether nothing was written to a session since it was read. */
  isCurrent(agent: HistoryAgent, { id, bytes, modifiedMs, fileCount }: Session): boolean {
    const held = this.#sessions[agent].get(id);
    return held?.bytes === bytes && held.modifiedMs === modifiedMs && held.files === fileCount;
  }

  /** Whether a session is to be read again although nothing was written to it: its last turn is over now, or a file could not be read. */
  isUnfinished(agent: HistoryAgent, id: string, nowMs: number): boolean {
    const held = this.#sessions[agent].get(id);
    return held !== undefined && ((!held.isOver && nowMs > held.overMs) || (held.more?.unreadable.length ?? 0) > 0);
  }

  /** Forgets sessions that were deleted. */
  keep(agent: HistoryAgent, ids: Pick<ReadonlySet<string>, 'has'>): void {
    for (const id of this.#sessions[agent].keys()) {
      if (ids.has(id)) continue;
      this.#sessions[agent].delete(id);
      this.#changed[agent].add(id);
    }
  }

  totals(agent: HistoryAgent): ReadTotals {
    const totals: ReadTotals = { traces: 0, damagedLines: 0, longLines: 0, unreadable: [] };
    for (const { traces, isOver, more } of this.#sessions[agent].values()) {
      totals.traces += traces;
      if (!more) continue;
      // The last line of a session that goes on may be half written.
      if (isOver) totals.damagedLines += more.damagedLines;
      totals.longLines += more.longLines;
      totals.unreadable.push(...more.unreadable);
    }
    return totals;
  }

  /** @throws what the file system throws */
  save(): void {
    if (this.#length === null || this.#length.written > 2 * this.#length.needed + spareLength) this.#write();
    else this.#append(this.#length);
    for (const agent of historyAgents) this.#changed[agent].clear();
  }

  #append({ written, needed }: { written: number; needed: number }): void {
    // After a half written line, the file is written anew.
    this.#length = null;
    const lines = historyAgents.flatMap((agent) => [...this.#changed[agent]].map((id) => this.#lineOf(agent, id))).join('');
    appendFileSync(this.#file, lines, { mode: 0o600 });
    this.#length = { written: written + lines.length, needed };
  }

  #write(): void {
    const file = openSync(`${this.#file}.new`, 'w', 0o600);
    let lines = [`${JSON.stringify({ version: 2, installation: this.#installation })}\n`];
    let written = 0;
    const flush = () => {
      const text = lines.join('');
      writeFileSync(file, text);
      written += text.length;
      lines = [];
    };
    try {
      for (const agent of historyAgents) {
        for (const id of this.#sessions[agent].keys()) {
          lines.push(this.#lineOf(agent, id));
          if (lines.length >= linesAtOnce) flush();
        }
      }
      flush();
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${this.#file}.new`, this.#file);
    rmSync(this.#oldFile, { force: true });
    this.#length = { written, needed: written };
  }

  #lineOf(agent: HistoryAgent, id: string): string {
    return `${JSON.stringify([agent, id, this.find(agent, id) ?? null])}\n`;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
