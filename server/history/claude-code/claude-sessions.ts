/** The sessions of Claude Code that are on this machine. */
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readJson, textAt } from '../json.ts';
import { firstLineOf, openPlain } from '../lines.ts';
import { type FileSpans, type HistoryOptions, type HistoryReport, isQuiet, overAt, readFile } from '../read-file.ts';
import { RecentValues } from '../recent-keys.ts';
import type { Session, SessionFile } from '../session.ts';
import type { Folders } from '../session-files.ts';
import { newestFirst, type SessionSource } from '../session-source.ts';
import { agentTarget } from '../turn.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import { agentIdOf, sessionsIn } from './session-files.ts';

const metaSizeMax = 64 * 1024;

export class ClaudeSessions implements SessionSource {
  readonly #folder: string;
  /** What started the sub-agents of the sessions that were read, by project and agent. */
  readonly #starts = new RecentValues<{ callId: string; promptId: string }>();
  /** Whether the sessions that were read may still name their sub-agents, by path. */
  readonly #isOpen = new RecentValues<boolean>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(folders: Folders): Session[] {
    return newestFirst(sessionsIn(folders, this.#folder));
  }

  async startOf({ isAgent, files: [file] }: Session): Promise<string | null> {
    if (!isAgent) return null;
    const sessionId = textAt(readJson(await firstLineOf(file.path)) ?? {}, 'sessionId');
    return sessionId === '' ? null : join(dirname(file.path), `${sessionId}.jsonl`);
  }

  async *read(whole: Session, options: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans> {
    const [session, ...agents] = whole.files;
    const project = dirname(session.path);
    if (whole.isAgent) {
      const mayBeNamed = this.#isOpen.get((await this.startOf(whole)) ?? '') ?? false;
      return yield* this.#readAgent(project, session, mayBeNamed, options, report);
    }
    const conversation = new Conversation({ sinceMs: options.sinceMs, agent: null, promptId: '' });
    const isOver = yield* readFile(session, conversation, options, report);
    this.#isOpen.set(session.path, !isOver);
    for (const [id, start] of conversation.startedAgents) this.#starts.set(keyOf(project, id), start);
    for (const agent of agents) yield* this.#readAgent(project, agent, !isOver, options, report);
  }

  /** @param mayBeNamed whether its session may still say what started it */
  async *#readAgent(
    project: string,
    file: SessionFile,
    mayBeNamed: boolean,
    options: HistoryOptions,
    report: HistoryReport,
  ): AsyncGenerator<FileSpans> {
    const id = agentIdOf(file.path);
    const meta = await metaOf(file.path);
    const start = this.#starts.get(keyOf(project, id));
    // In version 2.0 the session names it only when it has ended.
    if (!start && meta.callId === '' && (mayBeNamed || !isQuiet(file, options))) {
      const modifiedMs = mayBeNamed ? options.nowMs : file.modifiedMs;
      return report.waitUntil(overAt({ modifiedMs }, { hasOpenWork: false }));
    }
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
