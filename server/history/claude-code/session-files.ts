/**
 * Finds session files. Only these are opened: `FOLDER/SESSION.jsonl`, `FOLDER/agent-ID.jsonl`, `FOLDER/SESSION/subagents/agent-ID.jsonl` and the
 * `agent-ID.meta.json` beside it. Links are not followed.
 */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { entriesOf, filesOf, type SessionFile } from '../session-files.ts';

export interface SessionFiles extends SessionFile {
  /** Each has a file of its own. */
  agents: SessionFile[];
}

export interface ProjectFiles {
  sessions: SessionFiles[];
  /** Sub-agents of version 2.0, beside the sessions. */
  agents: SessionFile[];
}

const isSessionFile = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.jsonl');
const isAgentFile = (entry: Dirent): boolean => isSessionFile(entry) && entry.name.startsWith('agent-');

export const agentIdOf = (path: string): string => basename(path, '.jsonl').slice('agent-'.length);

/** The files of each project, and of the folder itself, newest sessions first. A folder that cannot be read has none. */
export async function* projectFiles(folder: string): AsyncGenerator<ProjectFiles> {
  yield await filesIn(folder);
  for await (const entry of await opendir(folder)) if (entry.isDirectory()) yield await filesIn(join(folder, entry.name));
}

async function filesIn(folder: string): Promise<ProjectFiles> {
  const entries = (await entriesOf(folder)).filter(isSessionFile);
  const [agents, sessions] = [entries.filter(isAgentFile), entries.filter((entry) => !isAgentFile(entry))];
  const found = await Promise.all(sessions.map(({ name }) => withAgents(folder, name)));
  return { sessions: found.flat().sort((a, b) => b.modifiedMs - a.modifiedMs), agents: await filesOf(folder, agents) };
}

async function withAgents(folder: string, name: string): Promise<SessionFiles[]> {
  const [session] = await filesOf(folder, [{ name }]);
  if (!session) return [];
  const inside = [basename(name, '.jsonl'), 'subagents'];
  const agents = await filesOf(join(folder, ...inside), (await entriesOf(folder, ...inside)).filter(isAgentFile));
  const modifiedMs = agents.reduce((latest, agent) => Math.max(latest, agent.modifiedMs), session.modifiedMs);
  return [{ ...session, modifiedMs, agents }];
}
