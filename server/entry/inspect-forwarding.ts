/** Forwarding state of a store without a running gateway, for `glasshouse doctor`. Read-only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Destination } from '../../shared/contract/operations/destination.ts';
import { shownState } from '../forwarding/destination.ts';
import { readAbout, readFailureState } from '../forwarding/destination-about.ts';
import { FileSecrets } from '../forwarding/secrets/file-secrets.ts';
import { destinationKeyOf } from '../forwarding/secrets/secret-store.ts';
import { shownDestination } from '../forwarding/shown-destination.ts';
import { silentLog } from '../platform/log.ts';
import { localScope } from '../platform/scope.ts';
import { openReader } from '../telemetry/sqlite/file/open.ts';
import { createReader } from '../telemetry/sqlite/read/reader.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

const budgetMs = 10_000;

export interface StoredDestination extends Destination {
  /** Whether the secrets file has its key; null when it is unreadable. The keychain is not read. */
  hasKeyInFile: boolean | null;
}

/** Null without a readable store, or for a store of an earlier version without forwarding. */
export async function inspectForwarding(dataDir: string): Promise<StoredDestination[] | null> {
  const file = telemetryFile(dataDir);
  if (!existsSync(file)) return null;
  const stored = readStored(file);
  const secrets = new FileSecrets(join(dataDir, 'secrets.json'), silentLog);
  return (
    stored && Promise.all(stored.map(async (destination) => ({ ...destination, hasKeyInFile: await hasKey(secrets, destination.name) })))
  );
}

function readStored(file: string): Destination[] | null {
  try {
    const db = openReader(file);
    try {
      const read = createReader(db, budgetMs);
      return read('forward.list', [localScope]).map((record) => {
        const shown = shownDestination(record, undefined, read('forward.waiting', [localScope, record.name]), true);
        const state = readFailureState(record.failure)?.state ?? { is: 'up_to_date' };
        return readAbout(record.about).is_paused ? shown : { ...shown, state: shownState(state) };
      });
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

const hasKey = (secrets: FileSecrets, name: string): Promise<boolean | null> =>
  secrets.read(destinationKeyOf(name)).then(
    (key) => key !== null,
    () => null,
  );
