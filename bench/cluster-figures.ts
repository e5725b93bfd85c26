/**
 * `npm run bench:cluster`: what a fleet takes and answers, on one machine with everything: PostgreSQL, ClickHouse (`npm run cluster:install`), S3, gateways
 * and senders. Rates are ratios to what the databases do alone in the same run. Three gateways behind a proxy take spans; one answers the reads.
 *
 * `--stages 1000000,5000000` are the sizes at which the store is read, `--rate 2000 --seconds 60` how fast spans are sent for the times to
 * acknowledgement. `--only owner,journal,acks,reads` leaves parts out.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PostgresProcess, withClient } from '../server/cluster/postgres-process.ts';
import { migrate } from '../server/control/postgres/migrate.ts';
import { ClickHouseServer } from '../server/fixtures/clickhouse.ts';
import { ClickHouseTelemetry } from '../server/telemetry/clickhouse/store.ts';
import type { ChaosFleet } from './cluster/chaos/chaos-fleet.ts';
import { Ledger } from './cluster/chaos/ledger.ts';
import { withFleet } from './cluster/chaos/run.ts';
import { Sender } from './cluster/chaos/sender.ts';
import { measureStages, type Stage } from './cluster/figures/filled-store.ts';
import { measureJournal } from './cluster/figures/journal-append.ts';
import { measureOwnerPath } from './cluster/figures/owner-path.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { median, quantile } from './measure/quantiles.ts';

const parts = ['owner', 'journal', 'acks', 'reads'];
const { values } = parseArgs({
  options: {
    stages: { type: 'string', default: '1000000,5000000' },
    spans: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: parts.join(',') },
  },
});
const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const isAsked = (part: string): boolean => values.only.split(',').includes(part);
const rounds = { spans: Number(values.spans), rounds: Number(values.rounds), seed: values.seed };
const teams = 6;
const warmUpMs = 10_000;

if (isAsked('owner') || isAsked('journal')) await measureRates();
if (isAsked('acks'))
  await withFleet({ instances: 3, teams }, async (fleet) => {
    print(`acknowledgements at ${values.rate} spans a second, three gateways behind a proxy`);
    print(`  ${await measureAcks(fleet)}`);
  });
if (isAsked('reads'))
  await withFleet({ instances: 1, teams: 1 }, async (fleet) => {
    const [app] = fleet.apps as [(typeof fleet.apps)[number]];
    const stages = values.stages.split(',').map(Number);
    printStages(await measureStages({ fleet, app, seed: values.seed, stages, msMax: 3000, log: print }));
  });

async function measureRates(): Promise<void> {
  const folder = makeScratchFolder('figures');
  // PostgreSQL runs as another user than root, who must get to its files.
  chmodSync(folder, 0o711);
  const clickhouse = await ClickHouseServer.startOwn();
  const postgres = new PostgresProcess({ folder: join(folder, 'postgres'), isDurable: true });
  try {
    await postgres.start();
    await withClient(postgres.url, migrate);
    const { url } = await clickhouse.createDatabase();
    const entry = new URL('../server/entry/thread.ts', import.meta.url);
    const telemetry = await ClickHouseTelemetry.connect({ address: { url, connections: 10 }, entry });
    if (isAsked('owner')) {
      print(`writer of a part, beside INSERT SELECT of the same rows, ${rounds.rounds} rounds of ${rounds.spans} spans`);
      const measured = await measureOwnerPath(telemetry, url, rounds);
      for (const { owner, engine } of measured) print(`  ${owner.toFixed(0)} and ${engine.toFixed(0)} spans/s, ${percent(owner / engine)}`);
      print(`  median ${percent(median(measured.map(({ owner, engine }) => owner / engine)))}`);
    }
    if (isAsked('journal')) {
      print(`journal, beside inserts of the same bytes, ${rounds.rounds} rounds of ${rounds.spans} spans`);
      const measured = await measureJournal(telemetry, postgres.url, rounds);
      for (const { journal, raw } of measured) print(`  ${journal.toFixed(1)} and ${raw.toFixed(1)} MB/s, ${percent(journal / raw)}`);
      print(`  median ${percent(median(measured.map(({ journal, raw }) => journal / raw)))}`);
    }
    await telemetry.close();
  } finally {
    await clickhouse.stop();
    await postgres.stop();
    postgres.clean();
    removeFolder(folder);
  }
}

async function measureAcks(fleet: ChaosFleet): Promise<string> {
  const rate = Number(values.rate);
  const ledger = new Ledger();
  const sender = new Sender({ url: () => fleet.url, apps: fleet.apps, ledger, seed: values.seed, rate, spansPerRequest: 100 });
  await sleep(warmUpMs);
  const [began, before] = [performance.now(), ledger.acknowledged];
  await sleep(Number(values.seconds) * 1000);
  const spansPerS = (ledger.acknowledged - before) / ((performance.now() - began) / 1000);
  const answers = sender.answers.filter(({ at }) => at > began);
  await sender.stop();
  const drainedS = await fleet.untilApplied(600_000);
  const ms = answers.filter(({ status }) => status === 200).map((answer) => answer.ms);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(ms, part).toFixed(0));
  const refused = answers.length - ms.length;
  return `${spansPerS.toFixed(0)} spans/s acknowledged, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${refused} of ${answers.length} requests refused; the journal was empty ${drainedS.toFixed(1)} s after the last one`;
}

function printStages(stages: readonly Stage[]): void {
  print(`\n| p95, ms | ${stages.map(({ spans }) => `${spans} spans`).join(' | ')} |\n|---|${stages.map(() => '---').join('|')}|`);
  for (const { name } of stages[0]?.reads ?? []) {
    const cells = stages.map(({ reads }) => {
      const read = reads.find((other) => other.name === name);
      return read ? `${read.p95.toFixed(1)}${read.refused > 0 ? ` (${read.refused} × 503)` : ''}` : '';
    });
    print(`| ${name} | ${cells.join(' | ')} |`);
  }
  for (const { spans, traces, filledAt, tables } of stages) {
    print(`\n${spans} spans in ${traces} traces, written at ${filledAt.toFixed(0)} spans/s; bytes a span:`);
    for (const { table, bytes, parts } of tables) print(`  ${table}: ${bytes.toFixed(1)}${parts > 0 ? `, ${parts} parts` : ''}`);
    const all = tables.filter(({ table }) => !table.startsWith('index ')).reduce((sum, { bytes }) => sum + bytes, 0);
    const index = tables.filter(({ table }) => table.startsWith('index ')).reduce((sum, { bytes }) => sum + bytes, 0);
    print(`  all: ${all.toFixed(0)}, without the text index ${(all - index).toFixed(0)}`);
  }
}
