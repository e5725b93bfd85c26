/**
 * Id of a gateway. It belongs to the data folder, which has one gateway at a time (ADR 024): after a crash the next one need not wait until the
 * leases of the crashed one end.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const form = /^[0-9a-f-]{36}$/;

/** The stored id, or a new one. */
export function instanceId(dataDir: string): string {
  const file = join(dataDir, 'instance');
  try {
    const stored = readFileSync(file, 'utf8').trim();
    if (form.test(stored)) return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const id = randomUUID();
  try {
    writeFileSync(file, `${id}\n`, { mode: 0o600 });
  } catch (error) {
    // A full disk must not prevent a start: with an id of its own a gateway waits for leases to end, as another gateway would.
    if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return id;
}
