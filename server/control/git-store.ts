import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { Claim } from './lease-store.ts';

export const gitProviders = ['github', 'gitlab'] as const;
export type GitProvider = (typeof gitProviders)[number];

/** Authorisation of an app to read repositories on behalf of a user. */
export interface GitConnection {
  provider: GitProvider;
  /** Installation of our GitHub app in the organisation; null for GitLab. */
  installation_id: number | null;
  /** Tokens of the provider, sealed: this store cannot read them. */
  sealed_tokens: string;
}

/** The branch that an app follows. */
export interface RepositoryLink {
  id: string;
  provider: GitProvider;
  /** The provider's id of the repository, which survives a rename and is never reused. */
  repository_id: string;
  /** Full name at the time of linking. */
  repository: string;
  branch: string;
}

export type LinkDraft = Omit<RepositoryLink, 'id'>;

/** Connections and links of apps to repositories. An app has at most one of each. */
export interface GitStore {
  findConnection(scope: Scope): Promise<GitConnection | null>;
  /** Replaces an earlier connection, and removes a link to a repository of another provider. */
  connect(by: Actor, scope: Scope, connection: GitConnection): Promise<void>;
  /** Stores renewed tokens. False, and nothing is stored, when the previous ones were replaced meanwhile. */
  renew(scope: Scope, from: string, to: string): Promise<boolean>;

  findLink(scope: Scope): Promise<RepositoryLink | null>;
  /**
   * Replaces an earlier link; the same link again changes nothing. Null when the app is not connected to the provider.
   * @throws Duplicate when another app of the tenant is linked to that branch
   */
  link(by: Actor, scope: Scope, draft: LinkDraft): Promise<RepositoryLink | null>;
  /** False when nothing was linked. */
  unlink(by: Actor, scope: Scope): Promise<boolean>;

  /** Stores a nonce that can be used until then. */
  issueNonce(scope: Scope, nonce: string, expires_at: string): Promise<void>;
  /** True once for each nonce that was issued for the app and has not expired. */
  consumeNonce(scope: Scope, nonce: string): Promise<boolean>;

  /**
   * Records a delivery of the provider and marks the apps that follow the branch as due, in one transaction.
   * @returns number of due apps; null for a repeated delivery
   */
  receivePush(push: Push): Promise<number | null>;
  /** Marks the link of an app as due, as a push would. Without a link nothing happens. */
  makeDue(by: Actor, scope: Scope): Promise<void>;
  /** Due links of all apps, longest due first. */
  due(): Promise<DueLink[]>;
  /** Clears `due_since`, unless a later push made the link due again, or the lease is lost. */
  settle(claim: Claim, scope: Scope, due_since: string): Promise<void>;
}

export interface Push {
  provider: GitProvider;
  /** Identifies this event among all that the provider sends. */
  delivery: string;
  repository_id: string;
  branch: string;
}

export interface DueLink {
  scope: Scope;
  due_since: string;
}
