/** Reads the sessions of Claude Code that are on this machine as spans. */
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { readJson, textAt } from '../json.ts';
import { linesOf } from '../lines.ts';
import type { HistorySpan } from '../otlp-span.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import { agentIdOf, type ProjectFiles, projectFiles, type SessionFile } from './session-files.ts';

/** A line has one block of a message; the largest are images. In bytes. */
const lineSizeMax = 16 * 1024 * 1024;
const metaSizeMax = 64 * 1024;
/** A file that was not written to for so long belongs to a session that is over, or waits for a prompt. */
const quietMs = 10 * 60_000;

export interface HistoryOptions {
  /** As `~/.claude/projects`, or one of the folders in it. */
  folder: string;
  /** What is older is left out. Milliseconds since the epoch. */
  sinceMs: number;
  nowMs: number;
}

/** What was read and what was not, counted while reading. */
export class HistoryReport {
  files = 0;
  olderFiles = 0;
  damagedLines = 0;
  longLines = 0;
  /** Files that cannot be read, and why. */
  readonly unreadable: { path: string; why: string }[] = [];
}

type AgentStarts = Conversation['startedAgents'];

/** @throws what the file system throws if the folder cannot be read */
export async function* readHistory(options: HistoryOptions, report: HistoryReport): AsyncGenerator<HistorySpan[]> {
  for await (const project of projectFiles(options.folder)) yield* readProject(project, options, report);
}

async function* readProject(project: ProjectFiles, options: HistoryOptions, report: HistoryReport): AsyncGenerator<HistorySpan[]> {
  const starts: AgentStarts = new Map();
  for (const { agents, ...session } of project.sessions) {
    if (isOlder(session, options, report, 1 + agents.length)) continue;
    const conversation = new Conversation({ sinceMs: options.sinceMs, agent: null, promptId: '' });
    yield* readFile(session, conversation, options, report);
    for (const [id, start] of conversation.startedAgents) starts.set(id, start);
    for (const agent of agents) yield* readAgent(agent, starts, options, report);
  }
  for (const agent of project.agents) if (!isOlder(agent, options, report, 1)) yield* readAgent(agent, starts, options, report);
}

function isOlder({ modifiedMs }: SessionFile, { sinceMs }: HistoryOptions, report: HistoryReport, files: number): boolean {
  if (modifiedMs >= sinceMs) return false;
  report.olderFiles += files;
  return true;
}

async function* readAgent(file: SessionFile, starts: AgentStarts, options: HistoryOptions, report: HistoryReport) {
  const id = agentIdOf(file.path);
  const meta = await metaOf(file.path);
  const start = starts.get(id) ?? { callId: '', promptId: '' };
  const agent: ConversationOptions['agent'] = { id, name: meta.name || 'sub-agent', callId: meta.callId || start.callId };
  yield* readFile(file, new Conversation({ sinceMs: options.sinceMs, agent, promptId: start.promptId }), options, report);
}

/** @returns empty texts where there is no such file */
async function metaOf(path: string): Promise<{ name: string; callId: string }> {
  const file = createReadStream(path.replace(/\.jsonl$/, '.meta.json'), { end: metaSizeMax });
  const json = readJson(await text(file).catch(() => '')) ?? {};
  return { name: textAt(json, 'agentType'), callId: textAt(json, 'toolUseId') };
}

async function* readFile(file: SessionFile, conversation: Conversation, { nowMs }: HistoryOptions, report: HistoryReport) {
  try {
    for await (const line of linesOf(file.path, lineSizeMax)) {
      if (line === null) report.longLines++;
      else yield conversation.read(line);
    }
    report.files++;
  } catch (error) {
    report.unreadable.push({ path: file.path, why: (error as NodeJS.ErrnoException).code ?? 'unknown' });
  }
  report.damagedLines += conversation.damaged;
  yield conversation.end(nowMs - file.modifiedMs > quietMs);
}
