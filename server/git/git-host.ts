import type { GitProvider } from '../control/git-store.ts';

/** What a host gave us to ask with, for somebody. */
export interface GitTokens {
  access_token: string;
  /** Null where the access token lasts until it is revoked. */
  refresh_token: string | null;
  /** ISO 8601. */
  expires_at: string | null;
}

/** On whose behalf a host is asked. */
export interface Reach {
  access_token: string;
  installation_id: number | null;
}

export interface GitRepository {
  /** The host's own, in decimal: it stays when the repository is renamed. */
  id: string;
  full_name: string;
  name: string;
  default_branch: string;
}

export interface GitCommit {
  sha: string;
  message: string | null;
  /** Whose change it is, in words. */
  author: string | null;
}

/** A regular file in a tree: links and submodules are none. */
export interface GitFile {
  /** From the folder that was listed, with `/` between its parts. */
  path: string;
  /** Of the blob. */
  sha: string;
}

/** What a host tells of a push to a branch. */
export interface PushEvent {
  /** Names the event among all that this host sends; the same event sent again has the same. */
  delivery: string;
  repository_id: string;
  branch: string;
}

/** An event as it came. */
export interface HookRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/**
 * A service that hosts repositories, asked over its HTTP API; git itself is never run. Whatever a host answers is bounded in size and time,
 * and it is asked at no other address than those of the configuration. Names are passed as they are: they MUST have been judged.
 *
 * @throws GitError from every method that asks the host
 */
export interface GitHost {
  readonly provider: GitProvider;
  /** Where somebody lets us read on their behalf; leads back to us with a code. */
  authorizationUrl(state: string): string;
  exchange(code: string): Promise<GitTokens>;
  renew(refreshToken: string): Promise<GitTokens>;
  /** The installation of our app that they may use: the one that they say, when they may, else their first. Null where there is none. */
  installation(accessToken: string, said: number | null): Promise<number | null>;

  /** All that the connection reaches, by full name. */
  repositories(reach: Reach): Promise<GitRepository[]>;
  /** In the host's order. */
  branches(reach: Reach, repository: GitRepository): Promise<string[]>;
  /** What a branch points to; null when there is no such branch. */
  head(reach: Reach, repository: GitRepository, branch: string): Promise<GitCommit | null>;
  /** The files directly in a folder, or in all of it; null when there is no such folder. @param folder '' for the whole repository */
  files(reach: Reach, repository: GitRepository, commit: string, folder: string, how: 'direct' | 'deep'): Promise<GitFile[] | null>;
  /** @throws GitError `too_large` */
  blob(reach: Reach, repository: GitRepository, sha: string, bytesMax: number): Promise<Uint8Array>;
  /** Asks to be told of pushes, where the host does not tell of them by itself. */
  follow(reach: Reach, repository: GitRepository): Promise<void>;

  /**
   * Null for an event that is no push to a branch that exists afterwards.
   * @throws GitError `forged` for what the host did not send
   */
  readPush(request: HookRequest): PushEvent | null;
}

/**
 * Why a host gave no answer of use:
 * - `unauthorized`: the tokens are not good, or not any more
 * - `forbidden`: the tokens are good, and not for this
 * - `missing`: there is no such thing, or none that they may see
 * - `too_large`: more than may be taken in
 * - `unavailable`: no answer, or one that is not of its API
 * - `forged`: an event that it did not send
 */
export type GitProblem = 'unauthorized' | 'forbidden' | 'missing' | 'too_large' | 'unavailable' | 'forged';

/** Its message is ours and holds nothing that a host has sent. */
export class GitError extends Error {
  readonly problem: GitProblem;

  constructor(problem: GitProblem, message: string) {
    super(message);
    this.name = 'GitError';
    this.problem = problem;
  }
}

/** Null where the host says that there is no such thing. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GitError && error.problem === 'missing') return null;
    throw error;
  }
}

/** The branch of a ref as events name it; null for a tag. */
export const branchOf = (ref: string): string | null => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? null;
