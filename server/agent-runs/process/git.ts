/**
 * Runs git for workspaces. Repositories are untrusted: git works in git folders of the gateway (`own-git-folder.ts`) without hooks, editors
 * and transports, never prompts, and gets only PATH from our environment. Names from outside follow `--` or are full refs; the contract
 * refuses names that could be options.
 */
import { execFile } from 'node:child_process';
import { devNull } from 'node:os';

const timeoutMs = 10 * 60_000;
const outputBytesMax = 16 * 1024 * 1024;

const settings = [
  `core.hooksPath=${devNull}`,
  ...['core.fsmonitor=false', 'core.pager=cat', 'core.quotePath=false', 'core.logAllRefUpdates=true', 'commit.gpgSign=false'],
  ...['core.commitGraph=false', 'core.multiPackIndex=false'],
  ...['protocol.allow=never', 'protocol.ext.allow=never', 'submodule.recurse=false', 'gc.auto=0', 'maintenance.auto=false'],
  // Repositories may belong to another user.
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

const name = 'Glasshouse worker';
const email = 'worker@glasshouse.invalid';
const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };

/** Git environment of agents: identity, and permission for repositories of another user. */
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
  // Commits that a partial clone lacks are not fetched, because the repository names the program for that.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_EDITOR: 'false',
  ...identity,
};

/** Repository and work tree. */
export interface GitPlace {
  gitDir: string;
  /** Absent for a bare repository. */
  workTree?: string;
}

/** Git failed; with the first three lines of its message. */
export class GitRefusal extends Error {
  constructor(command: string, output: string) {
    super(`git ${command}: ${output.trim().split('\n').slice(0, 3).join(' ').slice(0, 500) || 'no output'}`);
    this.name = 'GitRefusal';
  }
}

/**
 * @param input its stdin
 * @param maxBuffer limit of its output in bytes
 * @returns its output
 * @throws GitRefusal
 */
export function git({ gitDir, workTree }: GitPlace, args: readonly string[], input = '', maxBuffer = outputBytesMax): Promise<string> {
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

/** Commit of a name; null for an unknown one. @param name full ref or commit */
export async function commitOf(place: GitPlace, name: string): Promise<string | null> {
  const output = await git(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(() => '');
  return output.trim() || null;
}
