/**
 * `npm run bench`: compares this gateway with the limits of this machine, in one run. Takes about four minutes; `--full` goes to a million
 * spans and takes about fifteen. The report is printed and written to .cache/bench, with the numbers as JSON.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { measureColdStarts } from './measure/cold-start.ts';
import { measureEventLoop } from './measure/event-loop.ts';
import { measureGrowth } from './measure/growth.ts';
import { measureRounds } from './measure/rounds.ts';
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
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stages = (values.stages ?? (values.full ? '10000,100000,1000000' : '10000,100000')).split(',').map(Number);
const roundSpans = Number(values.spans ?? (values.full ? 100_000 : 25_000));
const quietMs = Number(values.quiet) * 1000;
/** Other products were measured after their first ten thousand spans; compilers are warm after far fewer. */
const warmUpRequests = 50;

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
  print('one growing store');
  const readMsMax = values.full ? 8000 : 3000;
  const growth = await measureGrowth({ index: growthIndex, format: 'json', dataDir: scratch, readMsMax, quietMs, log: print });
  print('cold starts');
  const coldStarts = await measureColdStarts(scratch, 5);
  print('event loop');
  const loop = await measureEventLoop();
  const [cpu] = cpus();
  const results: Results = {
    at: at.toISOString(),
    mode: values.full ? 'full' : 'quick',
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
    growth,
    coldStarts,
    loop,
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
