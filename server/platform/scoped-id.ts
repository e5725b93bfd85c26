import { createHash } from 'node:crypto';
import type { Scope } from './scope.ts';

/**
 * UUID for an id chosen by a sender: always the same within an app, and never equal to that of another app. So nobody can read or overwrite
 * the records of others by guessing ids.
 */
export function scopedId({ tenant_id, app_id }: Scope, sent: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([tenant_id, app_id, sent.toLowerCase()]))
    .digest()
    .subarray(0, 16);
  // Version 8, of our own making (RFC 9562, 5.8).
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
