/** Settings of the supported git hosts, from environment variables. A host without a client id is not offered. */
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).refine((text) => {
  const url = URL.parse(text);
  return url === null || `${url.username}${url.password}${url.search}${url.hash}` === '';
}, 'must be an address without user, query or fragment');
const secret = z.string().min(1).max(1000);

const gitHubSettings = z.object({
  client_id: secret,
  client_secret: secret,
  /** Secret of the GitHub App, which signs its webhooks. */
  webhook_secret: secret,
  /** Last part of the address `github.com/apps/…`. With it people choose repositories when they connect; without it they only sign in. */
  app_slug: z
    .string()
    .regex(/^[a-z0-9-]+$/i, 'must be the last part of github.com/apps/…')
    .optional(),
  url: address.default('https://github.com'),
  api_url: address.default('https://api.github.com'),
});
const gitLabSettings = z.object({ client_id: secret, client_secret: secret, url: address.default('https://gitlab.com') });

export type GitHubSettings = z.output<typeof gitHubSettings>;
export type GitLabSettings = z.output<typeof gitLabSettings>;

export interface GitSettings {
  github: GitHubSettings | null;
  gitlab: GitLabSettings | null;
}

/** A setting is missing or invalid. The message names it without its value. */
export class BadSetting extends Error {}

/** @throws BadSetting */
export function readGitSettings(environment: NodeJS.ProcessEnv): GitSettings {
  return {
    github: read(environment, 'GLASSHOUSE_GITHUB_', gitHubSettings),
    gitlab: read(environment, 'GLASSHOUSE_GITLAB_', gitLabSettings),
  };
}

/** Names of all variables. */
export const gitVariables: readonly string[] = [
  ...namesOf('GLASSHOUSE_GITHUB_', gitHubSettings),
  ...namesOf('GLASSHOUSE_GITLAB_', gitLabSettings),
];

function namesOf(prefix: string, { shape }: z.ZodObject): string[] {
  return Object.keys(shape).map((name) => prefix + name.toUpperCase());
}

/** Null when none of its variables is set. An empty one counts as absent. */
function read<F extends z.ZodObject>(environment: NodeJS.ProcessEnv, prefix: string, form: F): z.output<F> | null {
  const names = Object.keys(form.shape);
  const set = names.flatMap((name) => {
    const value = environment[prefix + name.toUpperCase()];
    return value ? [[name, value] as const] : [];
  });
  if (set.length === 0) return null;
  const result = form.safeParse(Object.fromEntries(set));
  if (result.success) return result.data;
  const [{ path, message } = { path: [], message: '' }] = result.error.issues;
  throw new BadSetting(
    `${prefix}${String(path[0]).toUpperCase()} ${path[0] && environment[prefix + String(path[0]).toUpperCase()] ? message : 'is missing'}`,
  );
}
