/**
 * `npm run test:cluster [-- PART…]`: what one gateway over SQLite answers, three gateways of a fleet behind a proxy answer too, over PostgreSQL and
 * ClickHouse (`npm run cluster:install`). Parts: `contract` (every declared answer of the contract), `matrix` (authorisation), `canary` (isolation of
 * tenants: the other gateway of the comparison has SQLite), `filters` (random filters, also against SQLite and the documented meaning).
 *
 * Parts that break the fleet while spans arrive, and compare what is stored with what was acknowledged (bench/cluster/chaos): `chaos` for all of
 * them, or their names. `--quick` makes them small, and `--spans N` and other options change their sizes.
 *
 * `--filters N` is for the filters, `--seed S` repeats a run. GLASSHOUSE_ALL_CASES=1 takes all cases of `matrix` and `canary` instead of a part each day.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chaosRuns } from './cluster/chaos/runs.ts';
import { runFilters } from './cluster/run-filters.ts';

interface Outcome {
  part: string;
  isPassed: boolean;
  /** Its counts. */
  figures: string[];
  seconds: number;
}

const root = join(import.meta.dirname, '..');
const suites: Record<string, { file: string; figures: RegExp }> = {
  contract: { file: 'server/entry/cloud-contract.gateway.test.ts', figures: /^contract: .*$/gm },
  matrix: { file: 'server/entry/authorisation.gateway.test.ts', figures: /^authorisation: .*$/gm },
  canary: { file: 'server/entry/canary.gateway.test.ts', figures: /^canaries: .*$/gm },
};
/** Of steps without a limit of their own. */
const hangsAfterMs = 1_200_000;
const comparisons = [...Object.keys(suites), 'filters'];
const sizeNames = [...new Set(Object.values(chaosRuns).flatMap(({ sizes }) => Object.keys(sizes)))].sort();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(sizeNames.map((name) => [name, { type: 'string' as const }])),
    quick: { type: 'boolean', default: false },
    filters: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    instances: { type: 'string', default: '3' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const asked = positionals.flatMap((part) => (part === 'chaos' ? Object.keys(chaosRuns) : [part]));
const unknown = asked.filter((part) => !comparisons.includes(part) && !Object.hasOwn(chaosRuns, part));
const given = Object.entries(values).flatMap(([name, value]) => (sizeNames.includes(name) ? [[name, Number(value)] as const] : []));
const [filters, seed, instances] = [values.filters, values.seed, values.instances].map(Number) as [number, number, number];
if (
  unknown.length > 0 ||
  ![filters, seed, instances, ...given.map(([, size]) => size)].every((number) => Number.isInteger(number) && number >= 0) ||
  instances === 0
) {
  process.stderr.write(
    `Usage: npm run test:cluster -- [${[...comparisons, 'chaos', ...Object.keys(chaosRuns)].join('|')}]…\n` +
      `  [--filters N] [--seed S] [--instances N] [--quick] [${sizeNames.map((name) => `--${name} N`).join('] [')}]\n`,
  );
  process.exit(1);
}

const outcomes: Outcome[] = [];
for (const part of asked.length === 0 ? comparisons : new Set(asked)) {
  print(`== ${part}, ${instances} instances`);
  const began = performance.now();
  const outcome = { part, ...(await runPart(part)), seconds: (performance.now() - began) / 1000 };
  outcomes.push(outcome);
  // A run of hours may be interrupted.
  print(lineOf(outcome));
}

print('');
for (const outcome of outcomes) print(lineOf(outcome));
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;

function lineOf({ part, isPassed, figures, seconds }: Outcome): string {
  return `${part.padEnd(18)}${isPassed ? 'passed' : 'FAILED'}  ${figures.join('; ') || 'no figures'} (${seconds.toFixed(0)} s)`;
}

async function runPart(part: string): Promise<Pick<Outcome, 'isPassed' | 'figures'>> {
  const suite = suites[part];
  if (suite) return runSuite(suite.file, suite.figures);
  return part === 'filters' ? compareFilters() : breakFleet(part);
}

async function breakFleet(part: string): Promise<Pick<Outcome, 'isPassed' | 'figures'>> {
  const { about, sizes, quick, run } = chaosRuns[part] as (typeof chaosRuns)[string];
  print(about);
  const standard = values.quick ? quick : sizes;
  const own = { ...standard, ...Object.fromEntries(given.filter(([name]) => name in standard)) };
  const repeat = Object.entries({ ...own, seed }).map(([name, value]) => `--${name} ${value}`);
  // One that cannot go on leaves the others to run.
  const { figures, problems } = await run({ sizes: own, seed: String(seed), instances, log: print }).catch((error: Error) => ({
    figures: [],
    problems: [error.stack ?? error.message],
  }));
  for (const problem of problems) print(`WRONG ${problem}`);
  return { isPassed: problems.length === 0, figures: [...figures, repeat.join(' ')] };
}

/** A suite of the gateway, with fleets in place of its gateways. */
async function runSuite(file: string, figures: RegExp): Promise<Pick<Outcome, 'isPassed' | 'figures'>> {
  const env = { ...process.env, GLASSHOUSE_TEST_INSTANCES: String(instances) };
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--hookTimeout',
      String(hangsAfterMs),
      '--testTimeout',
      String(hangsAfterMs),
      file,
    ],
    {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  vitest.stdout.on('data', (text: Buffer) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = await once(vitest, 'close');
  return { isPassed: code === 0, figures: output.match(figures) ?? [] };
}

async function compareFilters(): Promise<Pick<Outcome, 'isPassed' | 'figures'>> {
  const { mismatches, ...counts } = await runFilters({ filters, seed, instances, log: print });
  for (const mismatch of mismatches) print(`MISMATCH ${mismatch}`);
  const compared = `filters: ${counts.filters} of ${filters}, ${counts.reads} reads, ${counts.telling} selected some of the traces`;
  return {
    // Filters that match nothing, or everything, prove little.
    isPassed: mismatches.length === 0 && counts.filters === filters && counts.telling >= filters / 4,
    figures: [`${compared}, ${mismatches.length} mismatches, --filters ${filters} --seed ${seed}`],
  };
}
