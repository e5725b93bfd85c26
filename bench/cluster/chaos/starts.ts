/** Gateways that start at the same time on databases without their tables, or with some of them. */
import { join } from 'node:path';
import { migrate } from '../../../server/control/postgres/migrate.ts';
import { migrations as controlMigrations } from '../../../server/control/postgres/migrations/index.ts';
import { ClickHouseServer, withClickHouse } from '../../../server/fixtures/clickhouse.ts';
import { freePort } from '../../../server/fixtures/free-port.ts';
import { PostgresServer, withClient } from '../../../server/fixtures/postgres.ts';
import { migrations as telemetryMigrations } from '../../../server/telemetry/clickhouse/migrations/index.ts';
import { type GatewayProcess, spawnGateway } from '../../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../../gateway/scratch-folder.ts';
import { Random } from '../../traffic/random.ts';
import { chaosRun } from './run.ts';

const entry = join(import.meta.dirname, '../../../server/entry/cloud-gateway.ts');
const secret = 'a secret of benchmarks, which is longer than it must be';

export const starts = chaosRun({
  about: 'two gateways start together on an empty schema, or on what an interrupted or earlier start has left',
  sizes: { times: 50 },
  quick: { times: 3 },
  run: async ({ sizes, seed, log }) => {
    const random = new Random(`starts ${seed}`);
    const [clickhouse, postgres] = await Promise.all([ClickHouseServer.startOwn(), PostgresServer.startCluster()]);
    const problems: string[] = [];
    try {
      for (let time = 0; time < sizes.times; time++) {
        const kind = (['empty', 'old', 'interrupted'] as const)[time % 3] ?? 'empty';
        const wrong = await startTogether({ clickhouse, postgres, kind, random }).catch((error: Error) => [error.message]);
        problems.push(...wrong.map((problem) => `start ${time + 1} (${kind}): ${problem}`));
        log(`start ${time + 1} of ${sizes.times} (${kind}): ${wrong.length} problems`);
      }
    } finally {
      await Promise.all([clickhouse.stop(), postgres.stop()]);
    }
    return { figures: [`${sizes.times} starts of two gateways together, ${problems.length} problems`], problems: problems.slice(0, 10) };
  },
});

interface Start {
  clickhouse: ClickHouseServer;
  postgres: PostgresServer;
  /** Old: the control store is of an earlier version, or there are no telemetry tables yet. Interrupted: some of these were made, and not noted. */
  kind: 'empty' | 'old' | 'interrupted';
  random: Random;
}

/** @returns what is wrong after it */
async function startTogether({ clickhouse, postgres, kind, random }: Start): Promise<string[]> {
  const [spans, control] = await Promise.all([clickhouse.createDatabase(), postgres.createDatabase({ isEmpty: true })]);
  const folders = [makeScratchFolder('starts'), makeScratchFolder('starts')];
  const gateways: GatewayProcess[] = [];
  try {
    if (kind === 'old') await withClient(control.url, migrateSome(random));
    if (kind === 'interrupted') {
      const statements = telemetryMigrations[0]?.statements ?? [];
      const made = statements.slice(0, random.between(1, statements.length));
      await withClickHouse(spans.url, async (client) => {
        for (const query of made) await client.command({ query });
      });
    }
    const environment = { GLASSHOUSE_SECRET: secret, GLASSHOUSE_POSTGRES_URL: control.url, GLASSHOUSE_CLICKHOUSE_URL: spans.url };
    for (const folder of folders) {
      const port = Number(await freePort());
      const own = { ...environment, GLASSHOUSE_INTERNAL_URL: `http://127.0.0.1:${port}` };
      gateways.push(spawnGateway(folder, port, { entry, environment: own }));
    }
    const urls = await Promise.all(gateways.map(({ ready }) => ready));
    const ready = await Promise.all(urls.map(async (url) => (await fetch(`${url}/ready`)).status));
    const statuses = ready.filter((status) => status !== 200).map((status) => `/ready answers ${status}`);
    const codes = await Promise.all(gateways.map((gateway) => gateway.stop()));
    const ends = codes.filter((code) => code !== 0).map((code) => `a gateway ended with ${code}`);
    return [...statuses, ...ends, ...(await wrongMigrations(control.url, spans.url))];
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await Promise.all([spans.drop(), control.drop()]);
    for (const folder of folders) removeFolder(folder);
  }
}

/** As an earlier version left it; all of it while there was only one version. */
const migrateSome = (random: Random) => async (client: Parameters<typeof migrate>[0]) => {
  await migrate(client);
  const left = random.between(1, controlMigrations.length);
  if (left === controlMigrations.length) return;
  throw new Error('Undo the later migrations here once there are some');
};

/** Each migration is noted once, and every table is there. */
async function wrongMigrations(control: string, spans: string): Promise<string[]> {
  const [numbers, ids] = await withClient(control, async (client) => [
    (await client.query<{ number: number }>('SELECT number FROM control_migration ORDER BY number')).rows.map(({ number }) => number),
    (await client.query<{ id: string }>('SELECT id FROM telemetry_migration ORDER BY id')).rows.map(({ id }) => id),
  ]);
  const tables = await withClickHouse(spans, async (client) =>
    (await (await client.query({ query: 'SHOW TABLES', format: 'JSONEachRow' })).json<{ name: string }>()).map(({ name }) => name),
  );
  const created = telemetryMigrations.flatMap(({ statements }) =>
    statements.flatMap((sql) => /^\s*CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? []),
  );
  const missing = created.filter((table) => !tables.includes(table)).map((table) => `table ${table} is missing`);
  const expected = JSON.stringify([controlMigrations.map((_, index) => index + 1), telemetryMigrations.map(({ id }) => id)]);
  const noted = JSON.stringify([numbers, ids]);
  return noted === expected ? missing : [...missing, `${noted} is noted instead of ${expected}`];
}
