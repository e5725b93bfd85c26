/**
 * Finds session files. Only these are opened: `FOLDER/SESSION.jsonl`, `FOLDER/agent-ID.jsonl`, `FOLDER/SESSION/subagents/agent-ID.jsonl` and the
 * `agent-ID.meta.json` beside it. Links are not followed.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entriesOf, filesOf, type SessionFile } from '../session-files.ts';
import { type Session, sessionOf } from '../session-source.ts';

const isSessionFile = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.jsonl');
const isAgentFile = (entry: Dirent): boolean => isSessionFile(entry) && entry.name.startsWith('agent-');

export const agentIdOf = (path: string): string => basename(path, '.jsonl').slice('agent-'.length);

/** The sessions of each project, and of the folder itself. @throws what the file system throws if the folder cannot be read */
export function sessionsIn(folder: string): Session[] {
  const projects = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...sessionsOf(folder), ...projects.flatMap(({ name }) => sessionsOf(join(folder, name)))];
}

/** Of one project. Sub-agents of version 2.0 are beside the sessions. */
function sessionsOf(folder: string): Session[] {
  const all = entriesOf(folder);
  const entries = all.filter(isSessionFile);
  const folders = new Set(all.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const agents = filesOf(folder, entries.filter(isAgentFile));
  const sessions = filesOf(
    folder,
    entries.filter((entry) => !isAgentFile(entry)),
  );
  return [...sessions.map((file) => withAgents(folder, folders, file)), ...agents.map((file) => sessionOf(file.path, [file], true))];
}

function withAgents(folder: string, folders: ReadonlySet<string>, session: SessionFile): Session {
  const name = basename(session.path, '.jsonl');
  const inside = [name, 'subagents'];
  const agents = folders.has(name) ? filesOf(join(folder, ...inside), entriesOf(folder, ...inside).filter(isAgentFile)) : [];
  return sessionOf(session.path, [session, ...agents]);
}
