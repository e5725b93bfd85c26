/** All runs, by name. Faults of the storage of large payloads belong beside those of `outages.ts`. */
import { deletion, revocation } from './access.ts';
import { forwarding } from './forwarding.ts';
import { kills } from './kills.ts';
import { clickhouseAway, postgresRestart } from './outages.ts';
import { sameSpan, stoppedOwner } from './owners.ts';
import { readers } from './readers.ts';
import { rollingRestart } from './rolling.ts';
import type { ChaosRun } from './run.ts';
import { starts } from './starts.ts';

export const chaosRuns: Readonly<Record<string, ChaosRun>> = {
  kills,
  'clickhouse-away': clickhouseAway,
  'postgres-restart': postgresRestart,
  'stopped-owner': stoppedOwner,
  'same-span': sameSpan,
  revocation,
  starts,
  deletion,
  'rolling-restart': rollingRestart,
  readers,
  forwarding,
};
