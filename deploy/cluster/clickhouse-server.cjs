/**
 * A ClickHouse server for tests and for a cluster on one machine: `node clickhouse-server.cjs FOLDER HTTP-PORT`, on 127.0.0.1. Serves until
 * its stdin closes, so it ends with the process that started it.
 *
 * libchdb has all of ClickHouse, and `clickhouse local` is what it can be asked to run: that can open the server's own HTTP interface, and
 * ends when its last query does. No document says so; the version is pinned, and server/telemetry/clickhouse/engine.gateway.test.ts
 * fails when it no longer holds.
 */
'use strict';

const { join } = require('node:path');
const { DataType, isNullPointer, load, open } = require('ffi-rs');

const [folder, httpPort] = process.argv.slice(2);
const untilStdinCloses = "SELECT * FROM file('-', 'LineAsString', 'line String') FORMAT Null";
const command = [
  'clickhouse',
  `--path=${folder}`,
  `--config-file=${join(__dirname, 'clickhouse.xml')}`,
  '--listen_host=127.0.0.1',
  `--http_port=${httpPort}`,
  `--query=SYSTEM START LISTEN HTTP; ${untilStdinCloses}`,
];

const library = 'chdb';
open({ library, path: require.resolve(`@chdb/lib-${process.platform}-${process.arch}-gnu/libchdb.so`) });
const result = load({
  library,
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [command.length, command],
});

const errorAs = (retType) =>
  load({ library, funcName: 'chdb_result_error', retType, paramsType: [DataType.External], paramsValue: [result] });
if (!isNullPointer(errorAs(DataType.External))) {
  process.stderr.write(`${errorAs(DataType.String)}\n`);
  process.exitCode = 1;
}
