/** A fleet of real processes behind a proxy, with apps of several teams, for runs that break it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as PostgresClient, QueryResultRow } from 'pg';
import { Cluster } from '../../../server/cluster/cluster.ts';
import { withClient } from '../../../server/cluster/postgres-process.ts';
import { type Bootstrapped, bootstrap } from '../../../server/entry/bootstrap.ts';
import { withClickHouse } from '../../../server/fixtures/clickhouse.ts';
import { partOf } from '../../../server/telemetry/tenant-parts.ts';
import { makeScratchFolder, removeFolder } from '../../gateway/scratch-folder.ts';
import { ClickHouseTap } from './clickhouse-tap.ts';

export interface FleetOptions {
  instances: number;
  /** Each has one app. They are written by different gateways, because each belongs to one. */
  teams: number;
  /** Limits of plans, as in GLASSHOUSE_PLANS. All teams have the plan `enterprise`. */
  plans?: object;
  onOutput?(instance: number, text: string): void;
}

export const owner = { email: 'owner@acme.test', password: 'correct horse battery' } as const;
const root = join(import.meta.dirname, '../../..');
const pollMs = 100;

export class ChaosFleet {
  readonly cluster: Cluster;
  readonly apps: readonly Bootstrapped[];
  readonly dataDir: string;
  /** By the number of the gateway. */
  readonly taps: readonly ClickHouseTap[];

  private constructor(cluster: Cluster, apps: readonly Bootstrapped[], dataDir: string, taps: readonly ClickHouseTap[]) {
    this.cluster = cluster;
    this.apps = apps;
    this.dataDir = dataDir;
    this.taps = taps;
  }

  static async start({ instances, teams, plans = {}, onOutput = printOutput }: FleetOptions): Promise<ChaosFleet> {
    const dataDir = makeScratchFolder('chaos');
    const plansFile = join(dataDir, 'plans.json');
    writeFileSync(plansFile, JSON.stringify({ enterprise: { searches_per_minute: null }, ...plans }));
    const taps = Array.from({ length: instances }, () => new ClickHouseTap());
    await Promise.all(taps.map((tap) => tap.listen()));
    const cluster = await Cluster.start({
      dataDir,
      instances,
      port: 0,
      gateway: [process.execPath, '--require', join(root, 'scripts/from-bundle.cjs'), join(root, 'server/entry/cloud-gateway.ts')],
      environment: (number, clickhouse) => ({
        GLASSHOUSE_PLANS: plansFile,
        GLASSHOUSE_CLICKHOUSE_URL: (taps[number] as ClickHouseTap).before(clickhouse),
      }),
      onOutput,
    });
    const place = { url: cluster.postgres.url, connections: 1 };
    const apps: Bootstrapped[] = [];
    for (let team = 0; team < teams; team++)
      apps.push(await bootstrap({ dataDir, place, ...owner, tenant: `team ${team}`, plan: 'enterprise' }));
    return new ChaosFleet(cluster, apps, dataDir, taps);
  }

  /** Of the proxy. */
  get url(): string {
    return this.cluster.url;
  }

  rows<Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
    return withClickHouse(this.cluster.clickhouse.url, async (client) =>
      (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>(),
    );
  }

  /** A statement without a result. */
  run(query: string): Promise<void> {
    return withClickHouse(this.cluster.clickhouse.url, async (client) => void (await client.command({ query })));
  }

  control<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return withClient(this.cluster.postgres.url, async (client: PostgresClient) => (await client.query<Row>(sql, values)).rows);
  }

  /** Resolves when nothing waits in the journal. @returns seconds @throws Error when that takes longer, or something could not be applied */
  async untilApplied(limitMs: number): Promise<number> {
    const began = performance.now();
    for (;;) {
      const [failure] = await this.control<{ reason: string }>('SELECT reason FROM journal_failure LIMIT 1');
      if (failure) throw new Error(`An entry of the journal could not be applied: ${failure.reason}`);
      const [{ waiting } = { waiting: 0 }] = await this.control<{ waiting: number }>('SELECT count(*)::int AS waiting FROM journal');
      if (waiting === 0) return (performance.now() - began) / 1000;
      if (performance.now() - began > limitMs)
        throw new Error(`${waiting} entries of the journal are not applied after ${limitMs / 1000} s`);
      await sleep(pollMs);
    }
  }

  /** The gateway that writes for a team; null for none. */
  async ownerOf(tenantId: string): Promise<number | null> {
    const [lease] = await this.control<{ holder: string }>('SELECT holder FROM lease WHERE name = $1', [`journal/${partOf(tenantId)}`]);
    return lease ? this.#numberOf(lease.holder) : null;
  }

  #numberOf(holder: string): number | null {
    for (let number = 0; number < this.taps.length; number++) {
      const file = join(this.dataDir, `gateway-${number}`, 'instance');
      if (existsSync(file) && readFileSync(file, 'utf8').trim() === holder) return number;
    }
    return null;
  }

  async stop(): Promise<void> {
    for (const tap of this.taps) tap.onInsert = null;
    await this.cluster.stop();
    await Promise.all(this.taps.map((tap) => tap.close()));
    removeFolder(this.dataDir);
  }
}

/** Gateways say little that is of interest here, but for errors of ours. */
function printOutput(instance: number, text: string): void {
  if (process.env['GLASSHOUSE_CHAOS_LOG']) process.stderr.write(`gateway ${instance}: ${text}`);
}
