/** GitHub through a GitHub App: its installation selects the repositories, and users authorise access by OAuth. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
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
import type { GitHubSettings } from './git-settings.ts';
import { HostClient } from './host-client.ts';

const perPage = { per_page: '100' };
const id = z.int().positive();
const repository = z.object({ id, full_name: z.string(), name: z.string(), default_branch: z.string() });
const tree = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string() })),
});
type Tree = z.output<typeof tree>;
const commit = z.object({
  sha: z.string(),
  commit: z.object({
    message: z.string(),
    author: z.object({ name: z.string().optional() }).nullish(),
    tree: z.object({ sha: z.string() }),
  }),
});
const push = z.object({ ref: z.string(), deleted: z.boolean().optional(), repository: z.object({ id }) });

export class GitHubHost implements GitHost {
  readonly provider = 'github';
  readonly #settings: GitHubSettings;
  readonly #callback: string;
  readonly #clock: Clock;
  readonly #web: HostClient;
  readonly #api: HostClient;

  /** @param callback redirect URL */
  constructor(settings: GitHubSettings, callback: string, clock: Clock) {
    this.#settings = settings;
    this.#callback = callback;
    this.#clock = clock;
    this.#web = new HostClient(settings.url);
    this.#api = new HostClient(settings.api_url, { Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' });
  }

  authorizationUrl(state: string): string {
    const { app_slug, client_id } = this.#settings;
    if (app_slug) return this.#web.url('apps/{}/installations/new', [app_slug], { state }).href;
    return this.#web.url('login/oauth/authorize', [], { client_id, redirect_uri: this.#callback, state }).href;
  }

  exchange(code: string): Promise<GitTokens> {
    return this.#tokens({ code, redirect_uri: this.#callback });
  }

  renew(refresh_token: string): Promise<GitTokens> {
    return this.#tokens({ grant_type: 'refresh_token', refresh_token });
  }

  async installation(token: string, requested: number | null): Promise<number | null> {
    const page = z.object({ installations: z.array(z.object({ id })) });
    const pages = await this.#api.pages(this.#api.url('user/installations', [], perPage), page, { token });
    const permitted = pages.flatMap(({ installations }) => installations.map((installation) => installation.id));
    return permitted.find((installation) => installation === requested) ?? permitted[0] ?? null;
  }

  async repositories({ access_token: token, installation_id }: GitAccess): Promise<GitRepository[]> {
    if (installation_id === null) return [];
    const url = this.#api.url('user/installations/{}/repositories', [String(installation_id)], perPage);
    const pages = await this.#api.pages(url, z.object({ repositories: z.array(repository) }), { token });
    return pages.flatMap(({ repositories }) => repositories.map((item) => ({ ...item, id: String(item.id) })));
  }

  async branches({ access_token: token }: GitAccess, { full_name }: GitRepository): Promise<string[]> {
    const pages = await this.#api.pages(this.#of(full_name, 'branches', [], perPage), z.array(z.object({ name: z.string() })), { token });
    return pages.flat().map(({ name }) => name);
  }

  async head({ access_token: token }: GitAccess, { full_name }: GitRepository, branch: string): Promise<GitCommit | null> {
    const url = this.#of(full_name, 'branches/{}', [branch]);
    const found = await orMissing(this.#api.json(url, z.object({ commit }), { token }));
    if (!found) return null;
    const { sha, commit: details } = found.commit;
    return { sha, message: details.message, author: details.author?.name ?? null };
  }

  /** Lists folder by folder down the path, so that the cost does not depend on the size of the repository. */
  async files({ access_token }: GitAccess, { full_name }: GitRepository, commitSha: string, folder: string, how: 'direct' | 'deep') {
    const parts = folder === '' ? [] : folder.split('/');
    let sha = commitSha;
    for (const part of parts) {
      const { tree: entries } = await this.#tree(access_token, full_name, sha, false);
      const next = entries.find(({ path, type }) => path === part && type === 'tree');
      if (!next) return null;
      sha = next.sha;
    }
    const { tree: entries, truncated } = await this.#tree(access_token, full_name, sha, how === 'deep');
    if (truncated) throw new GitError('too_large', 'The folder has more files than the git host lists');
    return entries
      .filter(({ type, mode }) => type === 'blob' && mode !== '120000')
      .map(({ path, sha: blob }): GitFile => ({ path, sha: blob }));
  }

  blob({ access_token: token }: GitAccess, { full_name }: GitRepository, sha: string, bytesMax: number): Promise<Uint8Array> {
    return this.#api.bytes(this.#of(full_name, 'git/blobs/{}', [sha]), { token, bytesMax, accept: 'application/vnd.github.raw+json' });
  }

  /** A GitHub App receives all pushes. */
  async follow(): Promise<void> {}

  readPush({ headers, body }: HookRequest): PushEvent | null {
    const signature = Buffer.from(String(headers['x-hub-signature-256']));
    const expected = Buffer.from(`sha256=${createHmac('sha256', this.#settings.webhook_secret).update(body).digest('hex')}`);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw new GitError('forged', 'Invalid signature');
    const event = headers['x-github-event'] === 'push' ? push.safeParse(jsonOf(new TextDecoder().decode(body))).data : undefined;
    const branch = event && !event.deleted ? branchOf(event.ref) : null;
    // The id in the header is not signed. The body is, and contains timestamps of the repository, so no two events have the same body.
    const delivery = createHash('sha256').update(body).digest('hex');
    return event && branch !== null ? { delivery, repository_id: String(event.repository.id), branch } : null;
  }

  #of(full_name: string, path: string, parts: string[] = [], query: Record<string, string> = {}): URL {
    return this.#api.url(`repos/{}/{}/${path}`, [...full_name.split('/'), ...parts], query);
  }

  #tree(token: string, full_name: string, sha: string, isDeep: boolean): Promise<Tree> {
    return this.#api.json(this.#of(full_name, 'git/trees/{}', [sha], isDeep ? { recursive: '1' } : {}), tree, { token });
  }

  #tokens(form: Record<string, string>): Promise<GitTokens> {
    const { client_id, client_secret } = this.#settings;
    return askForTokens(this.#web, this.#web.url('login/oauth/access_token'), { client_id, client_secret, ...form }, this.#clock);
  }
}
