/** `npm run cloud:migrate`: moves the data of teams from one machine to a cluster, while the old gateway goes on receiving. */
import { extname } from 'node:path';
import { z } from 'zod';
import { stderrLog } from '../platform/log.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { type MigrationReport, type MigrationResult, migrateTeamData } from './migrate/migrate-team-data.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { withSecretFiles } from './secret-files.ts';

const name = 'npm run cloud:migrate --';
const values = readCommandLine({
  name,
  about:
    'Copies the stores of one gateway to the databases of a cluster (GLASSHOUSE_POSTGRES_URL, GLASSHOUSE_CLICKHOUSE_URL), which must be empty,\n' +
    'and compares them. The gateway may run until the last time, with --finish. It may be ended and started again at any time. See docs/scale.md.',
  options: {
    from: { value: 'DIR', help: 'the data folder of the gateway', isNeeded: true },
    finish: { help: 'moves the rest, and teams and keys; the gateway must be stopped' },
    verify: { help: 'compares everything byte by byte, also what an earlier run has compared' },
  },
});

const { from } = values;
if (!from) quit(`Name the data folder to move: ${name} --from DIR`);
const postgres = orQuit(() => readPostgresAddress(process.env)) ?? quit('Set GLASSHOUSE_POSTGRES_URL: teams and keys are moved there');
const clickhouse = orQuit(readClickHouseUrl) ?? quit('Set GLASSHOUSE_CLICKHOUSE_URL: traces are moved there');
const isLast = values.finish !== undefined;

const result = await onFolder(from, () =>
  migrateTeamData({
    from,
    clickhouse,
    postgres: postgres.url,
    isLast,
    comparesAll: values.verify !== undefined,
    threadEntry: new URL(`./thread${extname(import.meta.filename)}`, import.meta.url),
    log: stderrLog,
    report: progressReport(),
  }),
);
process.stdout.write(textOf(result));
process.exit(result.state === 'different' ? 1 : 0);

function readClickHouseUrl(): string | undefined {
  const { GLASSHOUSE_CLICKHOUSE_URL, GLASSHOUSE_CLICKHOUSE_URL_FILE } = process.env;
  const { GLASSHOUSE_CLICKHOUSE_URL: url } = withSecretFiles({ GLASSHOUSE_CLICKHOUSE_URL, GLASSHOUSE_CLICKHOUSE_URL_FILE });
  const read = z.url({ protocol: /^https?$/ }).safeParse(url);
  if (url && !read.success)
    throw new Error('GLASSHOUSE_CLICKHOUSE_URL must be an address such as https://user:password@host:8443/database');
  return url || undefined;
}

/** A line every two seconds at most. */
function progressReport(): MigrationReport {
  const everyMs = 2_000;
  const beganAt = performance.now();
  let printedAt = beganAt;
  let compared = 0;
  const print = (line: () => string) => {
    if (performance.now() - printedAt < everyMs) return;
    printedAt = performance.now();
    process.stderr.write(`${line()}\n`);
  };
  return {
    copied: ({ spans, logs, scores }, position, end) =>
      print(() => {
        const perSecond = Math.round((spans + logs) / ((performance.now() - beganAt) / 1000));
        return `Copied ${spans} spans, ${logs} log records, ${scores} scores (${perSecond} a second); ${end.span - position.span} rows of spans are left`;
      }),
    compared: (spans) => {
      compared += spans;
      print(() => `Compared ${compared} spans`);
    },
    repaired: (sentence) => void process.stderr.write(`${sentence}\n`),
  };
}

function textOf(result: MigrationResult): string {
  if (result.state === 'moved already') return 'Everything was moved before. Start the gateways of the cluster.\n';
  if (result.state === 'different')
    return `${result.differences.join('\n')}\nBoth sides differ. Nobody can use the cluster yet, and the old gateway can go on.\n`;
  const lines = result.apps.map(
    ({ tenant_id, app_id, traces, spans, logs, scores }) =>
      `app ${app_id} of team ${tenant_id}: equal (${traces} traces and ${scores} scores; byte by byte ${spans} spans and ${logs} log records)`,
  );
  lines.push(...result.notes);
  if (!result.tables)
    return `${lines.join('\n')}\nEverything received so far is in the cluster. Stop the old gateway, and run this again with --finish.\n`;
  const rows = result.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${lines.join('\n')}\nTeams, keys and queues: equal (${rows} rows of ${result.tables.length} tables)\nEverything is moved. Start the gateways of the cluster; the old one must not be started again.\n`;
}
