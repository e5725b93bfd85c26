/**
 * Reads the sessions of Gemini CLI that are on this machine as spans. Only `PROJECT/chats/session-….jsonl`, or `.json` of earlier versions, and
 * `PROJECT/chats/SESSION/AGENT.jsonl` of its sub-agents are opened, also where the folder that is named is that of a project, or its `chats`.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { HistorySpan } from '../otlp-span.ts';
import { type HistoryOptions, type HistoryReport, isOlder, isQuiet, readFile } from '../read-file.ts';
import { entriesOf, filesOf } from '../session-files.ts';
import { agentTarget } from '../turn.ts';
import { type AgentStart, ChatReader } from './chat-reader.ts';

const session = /^session-.*\.jsonl?$/;
const agentFile = /^[\w-]+\.jsonl$/;

/** @throws what the file system throws if the folder cannot be read */
export async function* readHistory(options: HistoryOptions, report: HistoryReport): AsyncGenerator<HistorySpan[]> {
  const projects = (await readdir(options.folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  yield* readChats(options.folder, [], options, report);
  for (const { name } of projects) {
    // The folder that was named may itself be that of a project.
    if (name === 'chats') yield* readChats(options.folder, [name], options, report);
    yield* readChats(options.folder, [name, 'chats'], options, report);
  }
}

async function* readChats(root: string, inside: string[], options: HistoryOptions, report: HistoryReport): AsyncGenerator<HistorySpan[]> {
  const folder = join(root, ...inside);
  const entries = (await entriesOf(root, ...inside)).filter((entry) => entry.isFile() && session.test(entry.name));
  const names = new Set(entries.map(({ name }) => name));
  // A session of an earlier version that is resumed is copied into a file with lines.
  const files = await filesOf(
    folder,
    entries.filter(({ name }) => !names.has(`${name}l`)).sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
  for (const file of files) {
    if (isOlder(file, options, report, 1)) continue;
    const reader = new ChatReader({ sinceMs: options.sinceMs, start: null });
    yield* readFile(file, reader, options, report);
    if (/^[\w-]+$/.test(reader.sessionId)) yield* readAgents(folder, reader, isQuiet(file, options), options, report);
  }
}

/**
 * A tool call that runs a sub-agent is recorded only when it has ended; until then the file of the sub-agent is left out.
 * @param isOver whether no more calls will be recorded
 */
async function* readAgents(
  folder: string,
  { agents, sessionId }: ChatReader,
  isOver: boolean,
  options: HistoryOptions,
  report: HistoryReport,
) {
  const names = (await entriesOf(folder, sessionId)).filter((entry) => entry.isFile() && agentFile.test(entry.name));
  const waiting = new Map((await filesOf(join(folder, sessionId), names)).map((file) => [basename(file.path, '.jsonl'), file]));
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
