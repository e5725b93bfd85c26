/**
 * Signature of webhooks: HMAC-SHA256 over the exact bytes of the body (docs/alerts.md#webhooks) and a timestamp, which receivers compare with
 * their clock against replays.
 */
import { createHmac } from 'node:crypto';

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** @param secrets the current one first; a replaced one also signs while receivers change over */
export function signatureHeaders(secrets: readonly [string, ...string[]], body: string, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const timed = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.${body}`)}`);
  return {
    'X-Service-Signature-256': `sha256=${hmac(secrets[0], body)}`,
    'X-Service-Signature': [`t=${seconds}`, ...timed].join(','),
  };
}
