/**
 * Finds session files. Only these are opened: `FOLDER/SESSION.jsonl`, `FOLDER/agent-ID.jsonl`, `FOLDER/SESSION/subagents/agent-ID.jsonl` and the
 * `agent-ID.meta.json` beside it. Links are not followed.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Session, SessionFile } from '../session.ts';
import type { Folders } from '../session-files.ts';

const isSessionFile = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.jsonl');
const isAgentFile = (entry: Dirent): boolean => isSessionFile(entry) && entry.name.startsWith('agent-');

export const agentIdOf = (path: string): string => basename(path, '.jsonl').slice('agent-'.length);

/** The sessions of each project, and of the folder itself. @throws what the file system throws if the folder cannot be read */
export function sessionsIn(folders: Folders, folder: string): Session[] {
  const projects = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...sessionsOf(folders, folder), ...projects.flatMap(({ name }) => sessionsOf(folders, join(folder, name)))];
}

/** Of one project. Sub-agents of version 2.0 are beside the sessions. */
function sessionsOf(folders: Folders, folder: string): Session[] {
  const all = folders.entriesOf(folder);
  const entries = all.filter(isSessionFile);
  const names = new Set(all.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const agents = folders.filesOf(folder, entries.filter(isAgentFile));
  const sessions = folders.filesOf(
    folder,
    entries.filter((entry) => !isAgentFile(entry)),
  );
  return [
    ...sessions.map((file) => withAgents(folders, folder, names, file)),
    ...agents.map((file) => folders.session(file.path, file, [], true)),
  ];
}

function withAgents(folders: Folders, folder: string, names: ReadonlySet<string>, session: SessionFile): Session {
  const name = basename(session.path, '.jsonl');
  const inside = [name, 'subagents'];
  const agents = names.has(name) ? folders.filesOf(join(folder, ...inside), folders.entriesOf(folder, ...inside).filter(isAgentFile)) : [];
  return folders.session(session.path, session, agents);
}
