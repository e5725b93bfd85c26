/** Reads the sessions of Claude Code that are on this machine as spans. */
import { text } from 'node:stream/consumers';
import { readJson, textAt } from '../json.ts';
import { openPlain } from '../lines.ts';
import type { HistorySpan } from '../otlp-span.ts';
import { type HistoryOptions, type HistoryReport, isOlder, readFile } from '../read-file.ts';
import type { SessionFile } from '../session-files.ts';
import { agentTarget } from '../turn.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import { agentIdOf, type ProjectFiles, projectFiles } from './session-files.ts';

const metaSizeMax = 64 * 1024;

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

async function* readAgent(file: SessionFile, starts: AgentStarts, options: HistoryOptions, report: HistoryReport) {
  const id = agentIdOf(file.path);
  const meta = await metaOf(file.path);
  const start = starts.get(id) ?? { callId: '', promptId: '' };
  const agent: ConversationOptions['agent'] = {
    ...{ id, name: meta.name || 'sub-agent' },
    ...{ callId: meta.callId || start.callId, target: agentTarget(id) },
  };
  yield* readFile(file, new Conversation({ sinceMs: options.sinceMs, agent, promptId: start.promptId }), options, report);
}

/** @returns empty texts where there is no such file */
async function metaOf(path: string): Promise<{ name: string; callId: string }> {
  const file = openPlain(path.replace(/\.jsonl$/, '.meta.json'), metaSizeMax);
  const json = readJson(await text(file).catch(() => '')) ?? {};
  return { name: textAt(json, 'agentType'), callId: textAt(json, 'toolUseId') };
}
