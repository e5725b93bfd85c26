/**
 * The sessions of Gemini CLI that are on this machine. Only `PROJECT/chats/session-….jsonl`, or `.json` of earlier versions, and
 * `PROJECT/chats/SESSION/AGENT.jsonl` of its sub-agents are opened, also where the folder that is named is that of a project, or its `chats`.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileSpans, type HistoryOptions, type HistoryReport, readFile } from '../read-file.ts';
import type { Session, SessionFile } from '../session.ts';
import type { Folders } from '../session-files.ts';
import { newestFirst, type SessionSource } from '../session-source.ts';
import { agentTarget } from '../turn.ts';
import { type AgentStart, ChatReader } from './chat-reader.ts';

const sessionFile = /^session-.*?([0-9a-f]{8})?\.jsonl?$/;
const agentFile = /^[\w-]+\.jsonl$/;

export class GeminiSessions implements SessionSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(folders: Folders): Session[] {
    const projects = readdirSync(this.#folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const sessions = chatsIn(folders, this.#folder);
    for (const { name } of projects) {
      // The folder that was named may itself be that of a project.
      if (name === 'chats') sessions.push(...chatsIn(folders, this.#folder, name));
      sessions.push(...chatsIn(folders, this.#folder, name, 'chats'));
    }
    return newestFirst(sessions);
  }

  async startOf(): Promise<null> {
    return null;
  }

  async *read(
    { files: [file, ...agents], modifiedMs }: Session,
    options: HistoryOptions,
    report: HistoryReport,
  ): AsyncGenerator<FileSpans> {
    const reader = new ChatReader({ sinceMs: options.sinceMs, start: null });
    // While a sub-agent runs, nothing is written to the file of its session.
    const isOver = yield* readFile({ ...file, modifiedMs }, reader, options, report);
    const own = agents.filter(({ path }) => basename(dirname(path)) === reader.sessionId);
    yield* readAgents(own, reader, isOver, options, report);
  }
}

function chatsIn(folders: Folders, root: string, ...inside: string[]): Session[] {
  const folder = join(root, ...inside);
  const entries = folders.entriesOf(root, ...inside);
  const names = new Set(entries.map(({ name }) => name));
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  // A session of an earlier version that is resumed is copied into a file with lines.
  const chats = entries.filter((entry) => entry.isFile() && sessionFile.test(entry.name) && !names.has(`${entry.name}l`));
  return folders.filesOf(folder, chats).map((file) => {
    // Its name ends with how its id begins; the folder of its sub-agents has the whole id.
    const id = sessionFile.exec(basename(file.path))?.[1];
    const own = id === undefined ? [] : inner.filter((name) => name.startsWith(id));
    return folders.session(
      file.path.replace(/\.jsonl?$/, ''),
      file,
      own.flatMap((name) => agentsIn(folders, folder, name)),
    );
  });
}

const agentsIn = (folders: Folders, folder: string, name: string): SessionFile[] =>
  folders.filesOf(
    join(folder, name),
    folders.entriesOf(folder, name).filter((entry) => entry.isFile() && agentFile.test(entry.name)),
  );

/**
 * A tool call that runs a sub-agent is recorded only when it has ended; until then the file of the sub-agent is left out.
 * @param isOver whether no more calls will be recorded
 */
async function* readAgents(
  files: readonly SessionFile[],
  { agents, sessionId }: ChatReader,
  isOver: boolean,
  options: HistoryOptions,
  report: HistoryReport,
): AsyncGenerator<FileSpans> {
  const waiting = new Map(files.map((file) => [basename(file.path, '.jsonl'), file]));
  const known: Map<string, AgentStart> = new Map(agents);
  while (waiting.size > 0) {
    // Agents start agents.
    const id = [...waiting.keys()].find((agent) => known.has(agent)) ?? (isOver ? [...waiting.keys()][0] : undefined);
    const file = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !file) return;
    waiting.delete(id);
    const agent = { id, name: 'sub-agent', callId: '', target: agentTarget(id) };
    const reader = new ChatReader({ sinceMs: options.sinceMs, start: known.get(id) ?? { agent, sessionId, promptId: id } });
    yield* readFile(file, reader, options, report);
    for (const [started, start] of reader.agents) known.set(started, start);
  }
}
