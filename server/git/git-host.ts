import type { GitProvider } from '../control/git-store.ts';

/** Tokens of a host for a user. */
export interface GitTokens {
  access_token: string;
  /** Null when the access token is valid until it is revoked. */
  refresh_token: string | null;
  /** ISO 8601. */
  expires_at: string | null;
}

/** Access to a host on behalf of a user. */
export interface GitAccess {
  access_token: string;
  installation_id: number | null;
}

export interface GitRepository {
  /** The host's id in decimal, which survives a rename. */
  id: string;
  full_name: string;
  name: string;
  default_branch: string;
}

export interface GitCommit {
  sha: string;
  message: string | null;
  /** Name of the author. */
  author: string | null;
}

/** A regular file in a tree, not a symbolic link or a submodule. */
export interface GitFile {
  /** Relative to the listed folder, separated by `/`. */
  path: string;
  /** SHA of the blob. */
  sha: string;
}

/** Push to a branch. */
export interface PushEvent {
  /** Identifies the event among all that this host sends; a repeated event has the same. */
  delivery: string;
  repository_id: string;
  branch: string;
}

/** Request of a webhook. */
export interface HookRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/**
 * A git host, used through its HTTP API, without git. Responses are bounded in size and time, and requests go only to configured addresses.
 * Names are not escaped here: they MUST have been validated.
 * @throws GitError from every method that sends a request
 */
export interface GitHost {
  readonly provider: GitProvider;
  /** Address of the host's authorisation page, which redirects back to us with a code. */
  authorizationUrl(state: string): string;
  exchange(code: string): Promise<GitTokens>;
  renew(refreshToken: string): Promise<GitTokens>;
  /** Installation of our app for the user: the requested one if permitted, else the first. Null for none. */
  installation(accessToken: string, requested: number | null): Promise<number | null>;

  /** All accessible repositories, by full name. */
  repositories(access: GitAccess): Promise<GitRepository[]>;
  /** In the host's order. */
  branches(access: GitAccess, repository: GitRepository): Promise<string[]>;
  /** Head commit of a branch; null for an unknown branch. */
  head(access: GitAccess, repository: GitRepository, branch: string): Promise<GitCommit | null>;
  /** Files directly in a folder, or recursively; null for an unknown folder. @param folder '' for the whole repository */
  files(access: GitAccess, repository: GitRepository, commit: string, folder: string, how: 'direct' | 'deep'): Promise<GitFile[] | null>;
  /** @throws GitError `too_large` */
  blob(access: GitAccess, repository: GitRepository, sha: string, bytesMax: number): Promise<Uint8Array>;
  /** Creates a webhook for pushes, or sets its token again, where the host needs one for each repository. */
  follow(access: GitAccess, repository: Pick<GitRepository, 'id'>): Promise<void>;

  /**
   * Null unless the event is a push to a branch that still exists.
   * @throws GitError `forged` for an invalid signature
   */
  readPush(request: HookRequest): PushEvent | null;
}

/**
 * Failure of a git host:
 * - `unauthorized`: invalid or expired tokens
 * - `forbidden`: insufficient permissions
 * - `missing`: unknown, or not visible with these tokens
 * - `too_large`: beyond our limits
 * - `unavailable`: no answer, or an invalid one
 * - `forged`: an event with an invalid signature
 */
export type GitErrorKind = 'unauthorized' | 'forbidden' | 'missing' | 'too_large' | 'unavailable' | 'forged';

/** Error with a message of our own, without data from the host. */
export class GitError extends Error {
  readonly errorKind: GitErrorKind;

  constructor(errorKind: GitErrorKind, message: string) {
    super(message);
    this.name = 'GitError';
    this.errorKind = errorKind;
  }
}

/** Null when the host answers that it does not exist. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GitError && error.errorKind === 'missing') return null;
    throw error;
  }
}

/** Branch of a full ref; null for a tag. */
export const branchOf = (ref: string): string | null => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? null;
