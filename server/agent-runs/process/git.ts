/**
 * Runs git on this machine, for workspaces. What is in a repository decides nothing: it works in git folders of the gateway's own
 * (`own-git-folder.ts`), where hooks, editors and every transport are off, nothing is asked of anybody, and of our environment it gets the
 * path. Names that come from outside go behind `--` or as full refs; the contract has refused those that could be options.
 */
import { execFile } from 'node:child_process';
import { devNull } from 'node:os';

const timeoutMs = 10 * 60_000;
const answerBytesMax = 16 * 1024 * 1024;

const settings = [
  `core.hooksPath=${devNull}`,
  ...['core.fsmonitor=false', 'core.pager=cat', 'core.quotePath=false', 'core.logAllRefUpdates=true', 'commit.gpgSign=false'],
  ...['core.commitGraph=false', 'core.multiPackIndex=false'],
  ...['protocol.allow=never', 'protocol.ext.allow=never', 'submodule.recurse=false', 'gc.auto=0', 'maintenance.auto=false'],
  // Whoever configured the repositories may own them under another name than ours.
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

const name = 'Glasshouse worker';
const email = 'worker@glasshouse.invalid';
const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };

/** What agents that use git themselves have of it: who they are, and that the repository may be another user's. */
export const gitForAgents = {
  ...identity,
  ...{ GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
};

const environment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: devNull,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
  // Commits that a partial clone lacks are not fetched, by whatever program the repository names for it.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_EDITOR: 'false',
  ...identity,
};

/** Which repository, and which files. */
export interface GitPlace {
  gitDir: string;
  /** Absent for a repository by itself. */
  workTree?: string;
}

/** What git would not do, in its own first words. */
export class GitRefusal extends Error {
  constructor(command: string, said: string) {
    super(`git ${command}: ${said.trim().split('\n').slice(0, 3).join(' ').slice(0, 500) || 'it said nothing'}`);
    this.name = 'GitRefusal';
  }
}

/**
 * @param input for its stdin
 * @param maxBuffer bytes that it may print
 * @returns what it printed
 * @throws GitRefusal
 */
export function git({ gitDir, workTree }: GitPlace, args: readonly string[], input = '', maxBuffer = answerBytesMax): Promise<string> {
  const place = { GIT_DIR: gitDir, ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }) };
  return new Promise((resolve, reject) => {
    const options = { cwd: workTree ?? gitDir, env: { ...environment, ...place }, timeout: timeoutMs, maxBuffer };
    const child = execFile('git', [...settings, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new GitRefusal(args[0] ?? '', stderr || error.message));
      else resolve(stdout);
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** The commit of a name; null when there is none. @param name a full ref or a commit */
export async function commitOf(place: GitPlace, name: string): Promise<string | null> {
  const said = await git(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(() => '');
  return said.trim() || null;
}
