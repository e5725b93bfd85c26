/** GitLab, gitlab.com or self-hosted, through an OAuth application with the scope `api`, the smallest that can create webhooks. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { DerivedKeys } from '../identity/secrets.ts';
import type { Clock } from '../platform/clock.ts';
import { jsonOf } from '../platform/json.ts';
import { askForTokens } from './ask-for-tokens.ts';
import {
  branchOf,
  type GitAccess,
  type GitCommit,
  GitError,
  type GitFile,
  type GitHost,
  type GitRepository,
  type GitTokens,
  type HookRequest,
  orMissing,
  type PushEvent,
} from './git-host.ts';
import type { GitLabSettings } from './git-settings.ts';
import { HostClient } from './host-client.ts';

const perPage = { per_page: '100' };
const id = z.int().positive();
const project = z.object({ id, path_with_namespace: z.string(), path: z.string(), default_branch: z.string().nullish() });
const branch = z.object({
  name: z.string(),
  commit: z.object({ id: z.string(), message: z.string().nullish(), author_name: z.string().nullish() }),
});
const entry = z.object({ id: z.string(), path: z.string(), type: z.string(), mode: z.string() });
const push = z.object({ object_kind: z.literal('push'), ref: z.string(), after: z.string(), project_id: id });

const noCommit = /^0+$/;
const noUuid = 'absent';

export interface GitLabOptions {
  settings: GitLabSettings;
  /** Redirect URL. */
  callback: string;
  /** Webhook URL. */
  webhook: string;
  /** Keys of the webhook tokens. */
  hookKeys: DerivedKeys;
  clock: Clock;
}

export class GitLabHost implements GitHost {
  readonly provider = 'gitlab';
  readonly #options: GitLabOptions;
  readonly #web: HostClient;
  readonly #api: HostClient;

  constructor(options: GitLabOptions) {
    this.#options = options;
    this.#web = new HostClient(options.settings.url);
    this.#api = new HostClient(this.#web.url('api/v4/').href);
  }

  authorizationUrl(state: string): string {
    const { settings, callback: redirect_uri } = this.#options;
    const query = { client_id: settings.client_id, redirect_uri, response_type: 'code', scope: 'api', state };
    return this.#web.url('oauth/authorize', [], query).href;
  }

  exchange(code: string): Promise<GitTokens> {
    return this.#tokens({ grant_type: 'authorization_code', code });
  }

  renew(refresh_token: string): Promise<GitTokens> {
    return this.#tokens({ grant_type: 'refresh_token', refresh_token });
  }

  async installation(): Promise<null> {
    return null;
  }

  async repositories({ access_token: token }: GitAccess): Promise<GitRepository[]> {
    const url = this.#api.url('projects', [], { ...perPage, membership: 'true', order_by: 'id', pagination: 'keyset' });
    const projects = (await this.#api.pages(url, z.array(project), { token })).flat();
    return projects.map(({ id: projectId, path_with_namespace, path, default_branch }) => ({
      ...{ id: String(projectId), full_name: path_with_namespace, name: path },
      // An empty repository has none.
      default_branch: default_branch ?? '',
    }));
  }

  async branches({ access_token: token }: GitAccess, repository: GitRepository): Promise<string[]> {
    const url = this.#of(repository, 'repository/branches', [], perPage);
    return (await this.#api.pages(url, z.array(branch), { token })).flat().map(({ name }) => name);
  }

  async head({ access_token: token }: GitAccess, repository: GitRepository, name: string): Promise<GitCommit | null> {
    const found = await orMissing(this.#api.json(this.#of(repository, 'repository/branches/{}', [name]), branch, { token }));
    return found && { sha: found.commit.id, message: found.commit.message ?? null, author: found.commit.author_name ?? null };
  }

  async files({ access_token: token }: GitAccess, repository: GitRepository, ref: string, path: string, how: 'direct' | 'deep') {
    const query = { ...perPage, ref, pagination: 'keyset', ...(path !== '' && { path }), ...(how === 'deep' && { recursive: 'true' }) };
    const pages = await orMissing(this.#api.pages(this.#of(repository, 'repository/tree', [], query), z.array(entry), { token }));
    const below = path === '' ? 0 : path.length + 1;
    return (
      pages
        ?.flat()
        .filter(({ type, mode }) => type === 'blob' && mode !== '120000')
        .map((file): GitFile => ({ path: file.path.slice(below), sha: file.id })) ?? null
    );
  }

  blob({ access_token: token }: GitAccess, repository: GitRepository, sha: string, bytesMax: number): Promise<Uint8Array> {
    return this.#api.bytes(this.#of(repository, 'repository/blobs/{}/raw', [sha]), { token, bytesMax, accept: '*/*' });
  }

  /** One webhook for each project, however often it is linked. The token of an existing one is set again: it may be of an earlier secret. */
  async follow({ access_token: token }: GitAccess, repository: Pick<GitRepository, 'id'>): Promise<void> {
    const { webhook: url } = this.#options;
    const hooks = this.#of(repository, 'hooks', [], perPage);
    const pages = await this.#api.pages(hooks, z.array(z.object({ id, url: z.string() })), { token });
    const existing = pages.flat().find((hook) => hook.url === url);
    const set = { url, token: hookToken(this.#options.hookKeys[0], repository.id) };
    // Somebody may have changed the rest of an existing one on purpose.
    const body = existing ? set : { ...set, push_events: true, enable_ssl_verification: true };
    const target = existing ? this.#of(repository, 'hooks/{}', [String(existing.id)]) : this.#of(repository, 'hooks');
    await this.#api.json(target, z.object({ id }), { method: existing ? 'PUT' : 'POST', token, body });
  }

  readPush({ headers, body }: HookRequest): PushEvent | null {
    const text = new TextDecoder().decode(body);
    const named = z.object({ project_id: id }).safeParse(jsonOf(text)).data;
    const token = Buffer.from(String(headers['x-gitlab-token']));
    const isOurs = this.#options.hookKeys.some((key) => {
      const expected = Buffer.from(hookToken(key, named ? String(named.project_id) : ''));
      return token.length === expected.length && timingSafeEqual(token, expected);
    });
    if (!named || !isOurs) throw new GitError('forged', 'Invalid token');
    const event = headers['x-gitlab-event'] === 'Push Hook' ? push.safeParse(jsonOf(text)).data : undefined;
    const name = event && !noCommit.test(event.after) ? branchOf(event.ref) : null;
    // An identical push may come years later; only the delivery id identifies a repetition.
    const deliveryId = String(headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? noUuid);
    const delivery = createHash('sha256').update(`${deliveryId}\n`).update(body).digest('hex');
    return event && name !== null ? { delivery, repository_id: String(event.project_id), branch: name } : null;
  }

  #of({ id: projectId }: Pick<GitRepository, 'id'>, path: string, parts: string[] = [], query: Record<string, string> = {}): URL {
    return this.#api.url(`projects/{}/${path}`, [projectId, ...parts], query);
  }

  #tokens(form: Record<string, string>): Promise<GitTokens> {
    const { settings, callback: redirect_uri, clock } = this.#options;
    const { client_id, client_secret } = settings;
    return askForTokens(this.#web, this.#web.url('oauth/token'), { client_id, client_secret, redirect_uri, ...form }, clock);
  }
}

/** Each project has its own token, so that people who can read one cannot forge events of another. */
const hookToken = (key: Uint8Array, projectId: string): string => createHmac('sha256', key).update(projectId).digest('base64url');
