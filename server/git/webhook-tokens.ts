/** Sets the tokens of webhooks again, where they depend on the secret of the deployment. */
import type { GitStore } from '../control/git-store.ts';
import type { Scope } from '../platform/scope.ts';
import type { GitConnections } from './git-connections.ts';
import { GitError } from './git-host.ts';

/** After so many failures in a row the host is left alone. */
const unavailableMax = 3;

/**
 * - `unavailable`: the host did not answer, or was not asked after it had failed repeatedly; another attempt may succeed
 * - `refused`: somebody has to connect the app again, or to change the repository that it follows
 */
export type WebhookResult = 'set' | 'refused' | 'unavailable';

/** Skips apps that follow no repository with such a webhook. */
export async function* setWebhookTokens(
  apps: AsyncIterable<Scope>,
  git: Pick<GitStore, 'findLink'>,
  connections: Pick<GitConnections, 'find'>,
): AsyncGenerator<[Scope, WebhookResult]> {
  let unavailable = 0;
  for await (const scope of apps) {
    const link = await git.findLink(scope);
    if (link?.provider !== 'gitlab') continue;
    const result = unavailable < unavailableMax ? await setToken(connections, scope, link.repository_id) : 'unavailable';
    unavailable = result === 'unavailable' ? unavailable + 1 : 0;
    yield [scope, result];
  }
}

async function setToken(connections: Pick<GitConnections, 'find'>, scope: Scope, id: string): Promise<WebhookResult> {
  try {
    const connected = await connections.find(scope);
    if (!connected) return 'refused';
    await connected.host.follow(connected.access, { id });
    return 'set';
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.errorKind === 'unavailable' ? 'unavailable' : 'refused';
  }
}
