/**
 * `npm run bench`: compares this gateway with the limits of this machine, in one run. Takes about four minutes; `--full` goes to a million
 * spans and takes about half an hour, `--huge` to ten million; `--sustained 10` adds ten minutes of steady ingest. The report is printed and written to .cache/bench, with the numbers as JSON.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { run as measureMaintenance } from './hostile/maintenance.scenario.ts';
import { measureAtRest } from './measure/at-rest.ts';
import { measureColdRounds } from './measure/cold-rounds.ts';
import { measureColdStarts } from './measure/cold-start.ts';
import { measureEventLoop } from './measure/event-loop.ts';
import { measureGrowth } from './measure/growth.ts';
import { measureHuge } from './measure/huge.ts';
import { median } from './measure/quantiles.ts';
import { measureRounds } from './measure/rounds.ts';
import { measureSustained } from './measure/sustained.ts';
import { measureUnindexed } from './measure/unindexed.ts';
import { markdown } from './report/markdown.ts';
import type { Results } from './report/results.ts';
import { prepareBodies } from './traffic/bodies.ts';
import { formats } from './traffic/formats.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    /** Span counts at which the growing store is measured. */
    stages: { type: 'string' },
    /** Spans of one round, and number of rounds. */
    spans: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    /** How many seconds at most to wait before each measurement until the machine is idle. */
    quiet: { type: 'string', default: '0' },
    /** Folder with a launch.cjs that starts AgentMark's API server on the port of its argument. */
    agentmark: { type: 'string' },
    /** Folder of another checkout of this repository, whose gateway is measured beside this one from a cold start. */
    before: { type: 'string' },
    /** Minutes of ingest at half the rate of the rounds. */
    sustained: { type: 'string' },
    huge: { type: 'boolean', default: false },
    'huge-spans': { type: 'string', default: '10000000' },
  },
});

const isFull = values.full || values.huge;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stages = (values.stages ?? (isFull ? '10000,100000,1000000' : '10000,100000')).split(',').map(Number);
const roundSpans = Number(values.spans ?? (isFull ? 100_000 : 25_000));
const quietMs = Number(values.quiet) * 1000;
/** What comes before is measured by the cold rounds. */
const warmUpRequests = 200;
const coldSpans = 20_000;
/** Of the machine at rest. */
const restSeconds = 60;

const at = new Date();
const load = loadavg()[0] ?? 0;
const scratch = makeScratchFolder('bench-growth');
try {
  print('preparing request bodies');
  const warmSpans = warmUpRequests * 100;
  const roundIndex = prepareBodies({ seed: values.seed, formats, checkpoints: [warmSpans + roundSpans] });
  const growthIndex = prepareBodies({ seed: `${values.seed}-growth`, formats: ['json'], checkpoints: stages });
  print(`raw insert and gateway, ${values.rounds} rounds of ${roundSpans} spans`);
  const rounds = await measureRounds({ index: roundIndex, rounds: Number(values.rounds), warmUp: warmUpRequests, quietMs, log: print });
  if (values.agentmark === undefined) print('AgentMark is not measured: --agentmark names no folder with its server');
  const coldRounds = await measureColdRounds({
    index: roundIndex,
    rounds: Number(values.rounds),
    spans: coldSpans,
    formats: isFull ? formats : ['json', 'protobuf'],
    agentmark: values.agentmark,
    before: values.before,
    quietMs,
    log: print,
  });
  print('one growing store');
  const readMsMax = isFull ? 8000 : 3000;
  const growth = await measureGrowth({
    index: growthIndex,
    format: 'json',
    dataDir: scratch,
    readMsMax,
    hasLimitReads: isFull,
    quietMs,
    log: print,
  });
  print('cold starts');
  const coldStarts = await measureColdStarts(scratch, 5);
  print('event loop');
  const loop = await measureEventLoop();
  const { sustained: minutes } = values;
  const more: Pick<Results, 'unindexed' | 'atRest' | 'maintenance' | 'sustained' | 'huge'> = {};
  if (isFull) {
    print('content filters right after a start, memory and processor at rest, acknowledgements during maintenance');
    more.unindexed = await measureUnindexed(growthIndex, growthIndex.checkpoints.at(-2)?.requests ?? 100, readMsMax);
    more.atRest = await measureAtRest(restSeconds);
    more.maintenance = await measureMaintenance(['--store', scratch]);
  }
  if (minutes !== undefined) {
    print(`sustained ingest for ${minutes} minutes`);
    more.sustained = await measureSustained(Number(minutes), median(rounds.map(({ gateway }) => gateway.json.spansPerS)) / 2);
  }
  const before = growthIndex.checkpoints.at(-1);
  if (values.huge && before) {
    print(`one store of ${values['huge-spans']} spans`);
    const spans = Number(values['huge-spans']);
    more.huge = await measureHuge({ dataDir: scratch, before, spans, seed: `${values.seed}-huge`, readMsMax, log: print });
  }
  const [cpu] = cpus();
  const results: Results = {
    at: at.toISOString(),
    mode: values.huge ? 'huge' : isFull ? 'full' : 'quick',
    machine: {
      cpu: cpu?.model ?? '',
      cores: cpus().length,
      memoryGb: totalmem() / 2 ** 30,
      os: `${type()} ${release()}`,
      node: process.version,
      load,
    },
    roundSpans: rounds[0]?.raw.spans ?? 0,
    rounds,
    coldRounds,
    growth,
    coldStarts,
    loop,
    ...more,
  };
  const report = markdown(results);
  print(`\n${report}`);
  print(`written to ${save(results, report)}`);
} finally {
  removeFolder(scratch);
}

function save(results: Results, report: string): string {
  const folder = join(import.meta.dirname, '../.cache/bench');
  mkdirSync(folder, { recursive: true });
  const name = join(folder, `bench-${results.at.slice(0, 19).replaceAll(':', '-')}`);
  writeFileSync(`${name}.json`, JSON.stringify(results, null, 1));
  writeFileSync(`${name}.md`, report);
  return `${name}.{json,md}`;
}
