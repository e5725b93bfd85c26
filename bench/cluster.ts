/**
 * `npm run test:cluster [-- PART…]`: what one gateway over SQLite answers, three gateways of a fleet behind a proxy answer too, over PostgreSQL and
 * ClickHouse (`npm run cluster:install`). Parts: `contract` (every declared answer of the contract), `matrix` (authorisation), `canary` (isolation of
 * tenants: the other gateway of the comparison has SQLite), `filters` (random filters, also against SQLite and the documented meaning).
 *
 * `--filters N` and `--seed S` are for the filters. GLASSHOUSE_ALL_CASES=1 takes all cases of `matrix` and `canary` instead of a part each day.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
const parts = [...Object.keys(suites), 'filters'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    filters: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    instances: { type: 'string', default: '3' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const unknown = positionals.filter((part) => !parts.includes(part));
const [filters, seed, instances] = [values.filters, values.seed, values.instances].map(Number) as [number, number, number];
if (unknown.length > 0 || ![filters, seed, instances].every((number) => Number.isInteger(number) && number >= 0) || instances === 0) {
  process.stderr.write(`Usage: npm run test:cluster -- [${parts.join('|')}]… [--filters N] [--seed S] [--instances N]\n`);
  process.exit(1);
}

const outcomes: Outcome[] = [];
for (const part of parts.filter((name) => positionals.length === 0 || positionals.includes(name))) {
  print(`== ${part}, ${instances} instances`);
  const began = performance.now();
  const suite = suites[part];
  const outcome = suite ? await runSuite(suite.file, suite.figures) : await compareFilters();
  outcomes.push({ part, ...outcome, seconds: (performance.now() - began) / 1000 });
}

print('');
for (const { part, isPassed, figures, seconds } of outcomes) {
  print(`${part.padEnd(10)}${isPassed ? 'passed' : 'FAILED'}  ${figures.join('; ') || 'no figures'} (${seconds.toFixed(0)} s)`);
}
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;

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
