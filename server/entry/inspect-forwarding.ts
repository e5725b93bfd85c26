/** What a store that no gateway has open says about forwarding. For `glasshouse doctor`; it changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Destination } from '../../shared/contract/destination.ts';
import { shownState } from '../forwarding/destination.ts';
import { readAbout, readStanding } from '../forwarding/destination-about.ts';
import { FileSecrets } from '../forwarding/secrets/file-secrets.ts';
import { destinationKeyOf } from '../forwarding/secrets/secret-store.ts';
import { shownDestination } from '../forwarding/shown-destination.ts';
import { silentLog } from '../platform/log.ts';
import { localScope } from '../platform/scope.ts';
import { openReader } from '../telemetry/sqlite/open.ts';
import { createReader } from '../telemetry/sqlite/read/reader.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

const budgetMs = 10_000;

export interface KeptDestination extends Destination {
  /** Whether the file of keys has one for it; null when that file cannot be read. A keychain is not asked. */
  hasKeyInFile: boolean | null;
}

/** Null when there is no store that can be read, or one of an earlier version, which forwards nothing. */
export async function inspectForwarding(dataDir: string): Promise<KeptDestination[] | null> {
  const file = telemetryFile(dataDir);
  if (!existsSync(file)) return null;
  const kept = readKept(file);
  const secrets = new FileSecrets(join(dataDir, 'secrets.json'), silentLog);
  return kept && Promise.all(kept.map(async (each) => ({ ...each, hasKeyInFile: await hasKey(secrets, each.name) })));
}

function readKept(file: string): Destination[] | null {
  try {
    const db = openReader(file);
    try {
      const read = createReader(db, budgetMs);
      return read('forward.list', [localScope]).map((record) => {
        const shown = shownDestination(record, undefined, read('forward.waiting', [localScope, record.name]), true);
        const stood = readStanding(record.standing)?.state ?? { is: 'up_to_date' };
        return readAbout(record.about).is_paused ? shown : { ...shown, state: shownState(stood) };
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
