import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { GitError, type GitTokens } from './git-host.ts';
import type { HostClient } from './host-client.ts';

const answerBytesMax = 64 * 1024;

const granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive().optional(),
});
/** GitHub answers 200 to a code that is not good. */
const refused = z.object({ error: z.string() });

/**
 * Asks the token endpoint of a host (OAuth 2.0, RFC 6749).
 * @throws GitError `unauthorized` when it gives none for this code or token
 */
export async function askForTokens(client: HostClient, url: URL, form: Record<string, string>, clock: Clock): Promise<GitTokens> {
  const answer = await client
    .json(url, z.union([granted, refused]), { method: 'POST', body: form, bytesMax: answerBytesMax })
    .catch((error: unknown) => Promise.reject(isRefusal(error) ? notGood() : error));
  if ('error' in answer) throw notGood();
  const { access_token, refresh_token = null, expires_in } = answer;
  const expires_at = expires_in === undefined ? null : new Date(clock.now() + expires_in * 1000).toISOString();
  return { access_token, refresh_token, expires_at };
}

const notGood = () => new GitError('unauthorized', 'The git host did not accept the code or token');

const isRefusal = (error: unknown): boolean => error instanceof GitError && error.problem !== 'unavailable';
