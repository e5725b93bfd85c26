/** The sessions of Claude Code that are on this machine. */
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readJson, textAt } from '../json.ts';
import { firstLineOf, openPlain } from '../lines.ts';
import { type FileSpans, type HistoryOptions, type HistoryReport, isQuiet, readFile } from '../read-file.ts';
import { RecentValues } from '../recent-keys.ts';
import type { SessionFile } from '../session-files.ts';
import { newestFirst, type Session, type SessionSource } from '../session-source.ts';
import { agentTarget } from '../turn.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import { agentIdOf, sessionsIn } from './session-files.ts';

const metaSizeMax = 64 * 1024;

export class ClaudeSessions implements SessionSource {
  readonly #folder: string;
  /** What started the sub-agents of the sessions that were read, by project and agent. */
  readonly #starts = new RecentValues<{ callId: string; promptId: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): Session[] {
    return newestFirst(sessionsIn(this.#folder));
  }

  async startOf({ isAgent, files: [file] }: Session): Promise<string | null> {
    if (!isAgent || !file) return null;
    const sessionId = textAt(readJson(await firstLineOf(file.path)) ?? {}, 'sessionId');
    return sessionId === '' ? null : join(dirname(file.path), `${sessionId}.jsonl`);
  }

  async *read(
    { isAgent, files: [session, ...agents] }: Session,
    options: HistoryOptions,
    report: HistoryReport,
  ): AsyncGenerator<FileSpans> {
    if (!session) return;
    const project = dirname(session.path);
    if (isAgent) return yield* this.#readAgent(project, session, options, report);
    const conversation = new Conversation({ sinceMs: options.sinceMs, agent: null, promptId: '' });
    yield* readFile(session, conversation, options, report);
    for (const [id, start] of conversation.startedAgents) this.#starts.set(keyOf(project, id), start);
    for (const agent of agents) yield* this.#readAgent(project, agent, options, report);
  }

  async *#readAgent(project: string, file: SessionFile, options: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans> {
    const id = agentIdOf(file.path);
    const meta = await metaOf(file.path);
    const start = this.#starts.get(keyOf(project, id));
    // In version 2.0 the session names it only when it has ended.
    if (!start && meta.callId === '' && !isQuiet(file, options)) return;
    const agent: ConversationOptions['agent'] = {
      ...{ id, name: meta.name || 'sub-agent' },
      ...{ callId: meta.callId || start?.callId || '', target: agentTarget(id) },
    };
    yield* readFile(file, new Conversation({ sinceMs: options.sinceMs, agent, promptId: start?.promptId ?? '' }), options, report);
  }
}

const keyOf = (project: string, agentId: string): string => `${project} ${agentId}`;

/** @returns empty texts where there is no such file */
async function metaOf(path: string): Promise<{ name: string; callId: string }> {
  const file = openPlain(path.replace(/\.jsonl$/, '.meta.json'), metaSizeMax);
  const json = readJson(await text(file).catch(() => '')) ?? {};
  return { name: textAt(json, 'agentType'), callId: textAt(json, 'toolUseId') };
}
