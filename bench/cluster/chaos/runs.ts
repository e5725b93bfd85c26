/** All runs, by name. */
import { deletion, revocation } from './access.ts';
import { forwarding } from './forwarding.ts';
import { kills } from './kills.ts';
import { clickhouseAway, postgresRestart } from './outages.ts';
import { sameSpan, stoppedOwner } from './owners.ts';
import { readers } from './readers.ts';
import { rollingRestart } from './rolling.ts';
import type { ChaosRun } from './run.ts';
import { s3Faults } from './s3-faults.ts';
import { starts } from './starts.ts';

export const chaosRuns: Readonly<Record<string, ChaosRun>> = {
  kills,
  'clickhouse-away': clickhouseAway,
  'postgres-restart': postgresRestart,
  's3-faults': s3Faults,
  'stopped-owner': stoppedOwner,
  'same-span': sameSpan,
  revocation,
  starts,
  deletion,
  'rolling-restart': rollingRestart,
  readers,
  forwarding,
};
