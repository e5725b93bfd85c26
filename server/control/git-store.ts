import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export const gitProviders = ['github', 'gitlab'] as const;
export type GitProvider = (typeof gitProviders)[number];

/** That somebody let an app read repositories on their behalf. */
export interface GitConnection {
  provider: GitProvider;
  /** Of our app in the provider's organisation; GitHub has that. */
  installation_id: number | null;
  /** What the provider gave us to ask with. Sealed: this store cannot read it. */
  sealed_tokens: string;
}

/** The branch that an app follows. */
export interface RepositoryLink {
  id: string;
  provider: GitProvider;
  /** The provider's own id of the repository, which stays when it is renamed and is given to no other. */
  repository_id: string;
  /** Its full name when it was linked. */
  repository: string;
  branch: string;
}

export type LinkDraft = Omit<RepositoryLink, 'id'>;

/** What apps have to do with repositories. An app has one connection and one link at most. */
export interface GitStore {
  findConnection(scope: Scope): Promise<GitConnection | null>;
  /** Takes the place of an earlier connection. A link to a repository of another provider goes with that. */
  connect(by: Actor, scope: Scope, connection: GitConnection): Promise<void>;
  /** Keeps renewed tokens, unless the ones they come from have been replaced. */
  renew(scope: Scope, from: string, to: string): Promise<void>;

  findLink(scope: Scope): Promise<RepositoryLink | null>;
  /**
   * Takes the place of an earlier link; the same again changes nothing.
   * @throws Duplicate when another app of the tenant is linked to that branch
   */
  link(by: Actor, scope: Scope, draft: LinkDraft): Promise<RepositoryLink>;
  /** False when nothing was linked. */
  unlink(by: Actor, scope: Scope): Promise<boolean>;

  /** Notes a nonce that may be spent until then. */
  issueNonce(scope: Scope, nonce: string, expires_at: string): Promise<void>;
  /** True once for each nonce that was issued for the app and is not over. */
  spendNonce(scope: Scope, nonce: string): Promise<boolean>;

  /**
   * Notes what a provider sent, and that the apps that follow the branch are due, in one transaction.
   * @returns how many apps that are; null for a delivery that was noted before
   */
  receivePush(push: Push): Promise<number | null>;
  /** The links of every app that are due, those due longest first. */
  due(): Promise<DueLink[]>;
  /** What was due then has been done; something may have become due since, which stays so. */
  settle(scope: Scope, due_since: string): Promise<void>;
}

export interface Push {
  provider: GitProvider;
  /** Names this event among all that the provider sends. */
  delivery: string;
  repository_id: string;
  branch: string;
}

export interface DueLink {
  scope: Scope;
  due_since: string;
}
