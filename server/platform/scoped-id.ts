import { createHash } from 'node:crypto';
import type { Scope } from './scope.ts';

/**
 * A UUID for what a sender calls by one of its own choosing: always the same for the same app, and never that of another, whatever it
 * sends. Nobody can take, find or overwrite by it what is somebody else's.
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
