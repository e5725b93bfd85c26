import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { GitError, type GitTokens } from './git-host.ts';
import type { HostClient } from './host-client.ts';

const responseBytesMax = 64 * 1024;

const granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive().optional(),
});
/** GitHub answers 200 to an invalid code. */
const refused = z.object({ error: z.string() });

/**
 * Asks the token endpoint of a host (OAuth 2.0, RFC 6749).
 * @throws GitError `unauthorized` when the code or token is not accepted
 */
export async function askForTokens(client: HostClient, url: URL, form: Record<string, string>, clock: Clock): Promise<GitTokens> {
  const answer = await client
    .json(url, z.union([granted, refused]), { method: 'POST', body: form, bytesMax: responseBytesMax })
    .catch((error: unknown) => Promise.reject(isRefusal(error) ? notAccepted() : error));
  if ('error' in answer) throw notAccepted();
  const { access_token, refresh_token = null, expires_in } = answer;
  const expires_at = expires_in === undefined ? null : new Date(clock.now() + expires_in * 1000).toISOString();
  return { access_token, refresh_token, expires_at };
}

const notAccepted = () => new GitError('unauthorized', 'The git host did not accept the code or token');

const isRefusal = (error: unknown): boolean => error instanceof GitError && error.errorKind !== 'unavailable';
