/** Connections to ClickHouse over HTTP. */
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient, type Logger } from '@clickhouse/client';

export interface ClickHouseAddress {
  /**
   * `https://user:password@host:port/database`, or `http:`. Its parameters are options of the client, such as `request_timeout`, and settings,
   * such as `clickhouse_setting_max_execution_time`; they go before ours. NODE_EXTRA_CA_CERTS names a certificate authority of one's own.
   */
  url: string;
  /** Largest number of connections of this process. */
  connections: number;
}

export interface QueryLimits {
  /** 0 is no limit. */
  seconds: number;
  bytes: number;
}

const queryLimits: QueryLimits = { seconds: 10, bytes: 1_000_000_000 };

/** For migrations: they may take longer than a query. */
export const noLimits: QueryLimits = { seconds: 0, bytes: 0 };

const timeLimits = ['clickhouse_setting_max_execution_time', 'ch_max_execution_time'];

/** Longest duration of a query in milliseconds: that of the address, or ours. */
export function queryMs(url: string): number {
  const { searchParams } = new URL(url);
  const given = timeLimits.map((name) => searchParams.get(name)).find((value) => value !== null);
  const seconds = given === undefined ? queryLimits.seconds : Number(given);
  return seconds > 0 ? Math.min(seconds * 1000, endlessMs) : endlessMs;
}

/** The longest delay of a timer. */
const endlessMs = 2 ** 31 - 1;

/** After its time limit, the database has this long to say so. Then it or the network has fallen silent, and the client gives the query up. */
const silenceMs = 5_000;
const migrationMs = 3_600_000;

/**
 * Connects when it is used. A parameter may have 128 KiB: longer lists go in several
 * queries.
 * @throws Error when the address is not one of ClickHouse
 */
export function connectClickHouse({ url, connections }: ClickHouseAddress, limits: QueryLimits = queryLimits): ClickHouseClient {
  return createClient({
    url,
    application: 'glasshouse',
    max_open_connections: connections,
    request_timeout: limits.seconds === 0 ? migrationMs : limits.seconds * 1000 + silenceMs,
    // A gateway under load notices late that the server has closed an idle connection.
    keep_alive: { eagerly_destroy_stale_sockets: true },
    // Of the codecs, it takes the least processor time.
    compression: { request: { codec: 'zstd', level: 1 }, response: { codec: 'zstd' } },
    use_multipart_params_auto: true,
    // The caller has every error, and what it does with it is its own decision.
    log: { level: ClickHouseLogLevel.OFF, LoggerClass: NoLog },
    clickhouse_settings: { ...settings, ...settingsOf(limits) },
  });
}

const settings: ClickHouseSettings = {
  // Numbers are read as those of JavaScript, as from SQLite: microseconds and counts are exact, and nanoseconds up to 104 days.
  output_format_json_quote_64bit_integers: 0,
  // The partition of a row follows from its key.
  do_not_merge_across_partitions_select_final: 1,
  // A history of many years may come in one batch.
  max_partitions_per_insert_block: '0',
  // An insert is answered when its rows are stored, by themselves: the gateway makes the batches.
  async_insert: 0,
  // A query with FINAL reads its large columns only where the keys match. Conditions on other columns come after FINAL as before.
  optimize_move_to_prewhere_if_final: 1,
};

/** A query that uses half of its memory goes on with the disk. */
const settingsOf = ({ seconds, bytes }: QueryLimits): ClickHouseSettings => ({
  max_execution_time: seconds,
  max_memory_usage: String(bytes),
  max_bytes_before_external_group_by: String(bytes / 2),
  max_bytes_before_external_sort: String(bytes / 2),
});

/** The client also warns of parameters in the address that replace ours, whatever the level is. */
class NoLog implements Logger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
