import type { Contract } from '../../../shared/contract/index.ts';
import { fail, failForNow } from '../../app/fail.ts';
import type { Context } from '../../app/module.ts';
import { Answer, defineModule, type Handlers } from '../../app/module.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { Duplicate } from '../../control/duplicate.ts';
import type { GitProvider } from '../../control/git-store.ts';
import type { Connected, GitConnections } from '../../git/git-connections.ts';
import { GitError, type GitHost, type GitRepository } from '../../git/git-host.ts';
import type { GitService } from '../../git/git-service.ts';
import { cookieOf } from '../../identity/credential.ts';
import { permissionsOf } from '../../identity/role-permissions.ts';
import type { Scope } from '../../platform/scope.ts';
import { browserCookie, cookieName, dashboardAt, initiatorOf } from './app-git/browser.ts';

const retrySeconds = 5;

export const appGitModule = defineModule({
  group: 'appGit',
  needs: ['control', 'git'],
  build: ({ control, git }) => {
    const { connections, states } = git;
    return {
      get: async ({ scope }, { params }) => {
        await assertApp(control, scope, params.appId);
        const [connection, link] = [await control.git.findConnection(scope), await control.git.findLink(scope)];
        const { provider = null, installation_id = null } = connection ?? {};
        const { repository = null, branch = null } = link ?? {};
        const { providers } = connections;
        return { data: { connected: connection !== null, provider, repository, branch, installation_id, providers } };
      },

      connect: async ({ scope, principal: { actor }, baseUrl }, { params, body: { provider } }) => {
        await assertApp(control, scope, params.appId);
        const host = configuredHost(connections, provider);
        const started = await states.begin({ ...scope, actor_kind: actor.kind, actor_id: actor.id }, provider);
        const { state, expires_at, browserSecret } = started;
        const data = { authorization_url: host.authorizationUrl(state), state, expires_at };
        return new Answer(200, { data }, { 'Set-Cookie': browserCookie(browserSecret, baseUrl) });
      },

      ...throughConnection(control, git),

      unlink: async ({ scope, principal }, { params }) => {
        await assertApp(control, scope, params.appId);
        await control.git.unlink(principal.actor, scope);
        return new Answer(204, undefined);
      },

      ...fromHosts(control, git),
    };
  },
});

/** Calls to a host on behalf of an app. */
function throughConnection(
  control: ControlStore,
  { connections, pushes }: GitService,
): Pick<Handlers<Contract['appGit']>, 'repositories' | 'branches' | 'link'> {
  const connectedTo = async ({ scope }: Context, appId: string): Promise<Connected> => {
    await assertApp(control, scope, appId);
    const found = await translateGitError(() => connections.find(scope));
    return found ?? notConnected();
  };

  return {
    repositories: async (context, { params }) => {
      const { host, access } = await connectedTo(context, params.appId);
      const found = await translateGitError(() => host.repositories(access));
      return { data: found.map(({ id, ...repository }) => repository) };
    },

    branches: async (context, { params, query: { repository } }) => {
      const connected = await connectedTo(context, params.appId);
      const found = await repositoryOf(connected, repository);
      if (!found) fail('invalid_query_params', 'Invalid query parameters', { details: { repository: notReachable } });
      return { data: await translateGitError(() => connected.host.branches(connected.access, found)) };
    },

    link: async (context, { params, body: { repository: name, branch, deploy } }) => {
      const connected = await connectedTo(context, params.appId);
      const { host, access } = connected;
      const found = await repositoryOf(connected, name);
      if (!found) refuse('repository', notReachable);
      const head = await translateGitError(() => host.head(access, found, branch));
      if (!head) refuse('branch', 'is not a branch of the repository');
      const { id: repository_id, full_name: repository } = found;
      const draft = { provider: host.provider, repository_id, repository, branch };
      if (!(await translateGitError(() => canFollow(() => host.follow(access, found))))) refuse('repository', notFollowable);
      const link = await translateDuplicate(() => control.git.link(context.principal.actor, context.scope, draft));
      if (!link) return notConnected();
      if (deploy) await pushes.deployNow(context.principal.actor, context.scope);
      return { data: { repository, branch, branch_id: link.id, commit_sha: head.sha } };
    },
  };
}

/** Webhooks, and redirects of browsers. */
const fromHosts = (
  control: ControlStore,
  { connections, states, pushes }: GitService,
): Pick<Handlers<Contract['appGit']>, 'callback' | 'webhook'> => ({
  callback: async ({ request, baseUrl, principal }, { query: { state, code, installation_id, error } }) => {
    const claims = await states.consume(state, cookieOf(request.headers.cookie, cookieName));
    if (!claims) fail('invalid_query_params', 'Invalid query parameters', { details: { state: invalidState } });
    const { tenant_id, app_id, provider } = claims;
    const scope = { tenant_id, app_id };
    const host = configuredHost(connections, provider);
    const initiator = initiatorOf(claims, principal.actor.ip);
    const isAllowed = code !== undefined && error === undefined && (await isStillPermitted(control, initiator, scope));
    const outcome = isAllowed ? await connect(() => connections.connect(initiator, scope, host, code, installation_id ?? null)) : 'refused';
    if (outcome === 'connected') await followAgain(control, connections, scope);
    return new Answer(302, undefined, { ...dashboardAt(app_id, outcome), 'Set-Cookie': browserCookie(null, baseUrl) });
  },

  webhook: async ({ request: { headers } }, { params: { provider }, body }) => {
    const host = configuredHost(connections, provider);
    const push = verifySignature(() => host.readPush({ headers, body }));
    return new Answer(202, { data: { accepted: push !== null && (await pushes.receive(provider, push)) } });
  },
});

const notConnected = (): never => fail('git_connection_missing', 'The app is not connected to a git provider');
const notReachable = 'is not a repository that the connection can reach';
const notFollowable = 'reports pushes only if somebody who may add webhooks to it has connected the app';
const invalidState = 'is invalid, expired, used, or from another browser: start again';

function refuse(field: string, why: string): never {
  fail('invalid_request_body', 'Invalid request body', { details: { [field]: why } });
}

async function assertApp({ apps }: ControlStore, { tenant_id, app_id }: Scope, appId: string): Promise<void> {
  if (!(await apps.find(tenant_id, app_id))) fail('app_not_found', `There is no app ${appId}`);
}

const configuredHost = (connections: GitConnections, provider: GitProvider): GitHost =>
  connections.host(provider) ?? fail('git_connect_not_configured', `This deployment is not set up for ${provider}`);

async function repositoryOf({ host, access }: Connected, name: string): Promise<GitRepository | null> {
  const all = await translateGitError(() => host.repositories(access));
  return all.find(({ full_name }) => full_name === name) ?? null;
}

/** The user may have left the tenant since. */
async function isStillPermitted(
  { tenants }: ControlStore,
  initiator: { kind: string; id: string },
  { tenant_id }: Scope,
): Promise<boolean> {
  if (initiator.kind !== 'user') return true;
  const member = await tenants.findMember(tenant_id, initiator.id);
  return member !== null && permissionsOf[member.role].has('app.write');
}

async function connect(work: () => Promise<void>): Promise<'connected' | 'refused' | 'unavailable'> {
  try {
    await work();
    return 'connected';
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.errorKind === 'unavailable' ? 'unavailable' : 'refused';
  }
}

/** The webhook of the repository that the app follows may have a token of an earlier secret. The connection stands even if it cannot be set. */
async function followAgain({ git }: ControlStore, connections: GitConnections, scope: Scope): Promise<void> {
  try {
    const link = await git.findLink(scope);
    const connected = link && (await connections.find(scope));
    if (link && connected) await connected.host.follow(connected.access, { id: link.repository_id });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
  }
}

async function canFollow(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof GitError && error.errorKind === 'forbidden') return false;
    throw error;
  }
}

/** Failures of the host are not our faults, and its messages are not repeated. */
async function translateGitError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.errorKind === 'unauthorized') fail('git_connection_missing', `${error.message}: connect the app again`);
    return failForNow('service_unavailable', error.message, retrySeconds);
  }
}

function verifySignature<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GitError) fail('unauthorized', error.message);
    throw error;
  }
}

async function translateDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('repo_branch_already_linked', 'Another app is linked to this branch of the repository');
    throw error;
  }
}
