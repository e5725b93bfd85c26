/** The telemetry of a cluster that is being filled: written by the writer of its gateways, so that all that is derived is right. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { ClientBase } from 'pg';
import { migrate } from '../../control/postgres/migrate.ts';
import type { PriceOverrides } from '../../ingest/cost/own-prices.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { Log } from '../../platform/log.ts';
import { connectClickHouse, noLimits } from '../../telemetry/clickhouse/connect.ts';
import { postgresMigrationLog } from '../../telemetry/clickhouse/migration-logs.ts';
import { storageFailure } from '../../telemetry/clickhouse/storage-failure.ts';
import { ClickHouseTelemetry } from '../../telemetry/clickhouse/store.ts';
import type { StorageError } from '../../telemetry/storage-error.ts';
import { failureOf, type OwningWriter, type StoreRequest, type StoreResult } from '../../telemetry/store-requests.ts';
import { type Progress, progressName } from './telemetry-progress.ts';

export interface TargetParts {
  clickhouse: string;
  /** A connection that nothing else uses meanwhile. */
  postgres: ClientBase;
  threadEntry: URL;
  prices: PriceOverrides;
  log: Log;
}

const connections = 8;
/** Of the writes of one run, the highest: rows with it replace those that its writer wrote. */
const lastOfRun = 0xffff_ffffn;
/** A database that is away for a moment does not end the run. */
const attemptsMax = 20;
const pauseMs = 1_000;

export class TelemetryTarget {
  readonly #telemetry: ClickHouseTelemetry;
  readonly #client: ClickHouseClient;
  readonly #writer: OwningWriter;
  readonly #ver: string;
  #progressCount = 0n;
  readonly #epoch: bigint;

  private constructor(telemetry: ClickHouseTelemetry, client: ClickHouseClient, epoch: number) {
    this.#telemetry = telemetry;
    this.#client = client;
    this.#writer = telemetry.openImport(epoch);
    this.#epoch = BigInt(epoch) << 32n;
    this.#ver = String(this.#epoch + lastOfRun);
  }

  /**
   * Creates or migrates the schemas of both databases, and opens a writer for all teams: call it when nothing else uses them.
   * @throws StorageError
   */
  static async open({ clickhouse, postgres, threadEntry, prices, log }: TargetParts): Promise<TelemetryTarget> {
    await migrate(postgres);
    const address = { url: clickhouse, connections };
    const migrationLog = postgresMigrationLog(postgres);
    const telemetry = await ClickHouseTelemetry.connect({ address, entry: threadEntry, prices, log, migrationLog });
    const { rows } = await postgres.query<{ epoch: string }>("SELECT nextval('journal_epoch') AS epoch");
    return new TelemetryTarget(telemetry, connectClickHouse(address, noLimits), Number(rows[0]?.epoch));
  }

  /** Notes that everything that was copied is the same on both sides. */
  async keepCompared(progress: Progress): Promise<void> {
    await this.keepProgress({ ...progress, compared: progress.copied, textsFrom: this.#ver });
  }

  async keepProgress(progress: Progress): Promise<void> {
    const ver = String(this.#epoch + this.#progressCount++);
    await this.#insert('setting', [{ name: progressName, value: JSON.stringify(progress), ver }]);
  }

  /**
   * Resolves when the change is durable; it may be repeated.
   * @throws StorageError
   */
  async write(request: StoreRequest): Promise<Exclude<StoreResult, { error: StorageError }>> {
    for (let attempt = 1; ; attempt++) {
      // A batch is gone once it is sent.
      const sent =
        request.kind === 'batch' ? { ...request, batch: pack({ ...request.batch, bytes: Uint8Array.from(request.batch.bytes) }) } : request;
      const result = await this.#writer.write(sent);
      if (!('error' in result)) return result;
      if (attempt === attemptsMax || result.error.errorKind === 'mistake' || result.error.errorKind === 'stopping') throw failureOf(result);
      await sleep(pauseMs);
    }
  }

  /** Writes rows of a table as they are; they replace those with the same keys. */
  async put(table: string, rows: readonly object[]): Promise<void> {
    await this.#insert(
      table,
      rows.map((row) => ({ ...row, ver: this.#ver })),
    );
  }

  async rows<Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
    try {
      const result = await this.#client.query({ query, query_params, format: 'JSONEachRow' });
      return await result.json<Row>();
    } catch (error) {
      throw storageFailure(error) ?? error;
    }
  }

  async #insert(table: string, values: readonly object[]): Promise<void> {
    if (values.length === 0) return;
    try {
      await this.#client.insert({ table, values, format: 'JSONEachRow' });
    } catch (error) {
      throw storageFailure(error) ?? error;
    }
  }

  async close(): Promise<void> {
    await this.#writer.stop();
    await this.#telemetry.close();
    await this.#client.close();
  }
}
