/** Request to a cloud that is not trusted yet: without a key, without redirects, with a bounded answer. */
import { jsonOf } from '../../platform/json.ts';
import { answerBytesMax } from '../verdict.ts';

/** `silent`: no answer from a Glasshouse; worth a retry. */
export type CloudReply =
  | { kind: 'answered'; status: number; body: unknown; retryAfterSeconds: number | null }
  | { kind: 'silent'; why: 'unreachable' | 'untrusted' | 'elsewhere' | 'no_glasshouse' };

export type AskCloud = (path: string, body: object) => Promise<CloudReply>;

const timeoutMs = 30_000;
/** Error codes of Node for an invalid certificate. */
const untrusted = /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/;

/** @param url an address for which `problemOfAddress` is null @param stopped aborts the request */
export const askCloudAt =
  (url: string, stopped: AbortSignal): AskCloud =>
  async (path, body) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Glasshouse', 'Accept-Encoding': 'identity' };
    try {
      const response = await fetch(new URL(path, url), {
        ...{ method: 'POST', headers, signal },
        ...{ redirect: 'manual', body: JSON.stringify(body) },
      });
      return await replyOf(response);
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
      return { kind: 'silent', why: untrusted.test(code) ? 'untrusted' : 'unreachable' };
    }
  };

async function replyOf(response: Response): Promise<CloudReply> {
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return { kind: 'silent', why: 'elsewhere' };
  }
  const text = isJson ? await textOf(response) : null;
  if (!isJson) await response.body?.cancel();
  const body = text === null ? undefined : jsonOf(text);
  if (body === undefined) return { kind: 'silent', why: status >= 500 ? 'unreachable' : 'no_glasshouse' };
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  return { kind: 'answered', status, body, retryAfterSeconds: Number.isFinite(wait) && wait >= 0 ? wait : null };
}

/** Null when it is longer than any answer of a cloud. */
async function textOf({ body }: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let left = answerBytesMax;
  for await (const part of body ?? []) {
    left -= part.length;
    // Leaving the loop closes the connection.
    if (left < 0) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
