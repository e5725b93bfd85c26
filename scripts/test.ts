/**
 * `npm test`: the checks, then the tests and the browser journeys at the same time; all of them, even when one fails. What failed is rerun
 * alone when everything else is over, and a runner that crashed is restarted (`suite.ts`). The last line, `N passed, N failed`, counts both
 * runners. Fails when anything failed or was skipped without a reason.
 *
 * `npm test -- check pure` runs only these parts: `check`, a tier of the tests (`pure`, `gateway`, `crash`, `fuzz`) or `journeys`.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { closingReport } from './closing.ts';
import { processorSeconds } from './processor-seconds.ts';
import type { Runner } from './runner.ts';
import { playwright, vitest } from './runners.ts';
import { slowestFiles } from './slowest-files.ts';
import { type StartedSuite, startSuite } from './suite.ts';
import type { TestResults } from './test-results.ts';
import { tiers } from './tiers.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/test');
const minute = 60_000;

const parts = ['check', ...tiers, 'journeys'];
const requested = process.argv.slice(2);
const unknown = requested.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part ${unknown.join(', ')}: the parts are ${parts.join(', ')}.\n`);
  process.exit(1);
}
const isRequested = (part: string) => requested.length === 0 || requested.includes(part);

// The limits catch hanging runs, so they are far above what a busy machine needs. CI kills everything after 90 minutes, without our last line.
const limits = { quietMs: 15 * minute, endAt: process.env.CI === undefined ? Number.POSITIVE_INFINITY : Date.now() + 85 * minute };

// A rerun after midnight takes the cases that failed (server/fixtures/daily-sample.ts).
process.env.GLASSHOUSE_SAMPLE_DAY ??= String(Math.floor(Date.now() / 86_400_000));

const printTitle = (title: string) => process.stdout.write(`\n== ${title}\n`);

rmSync(folder, { recursive: true, force: true });

function passesCheck(): boolean {
  printTitle('check');
  const { status } = spawnSync(process.execPath, [join(root, 'checks/check.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * minute,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

const isChecked = !isRequested('check') || passesCheck();

const requestedTiers = tiers.filter(isRequested);
// Without it, the tests that need it fail and say why.
if (requestedTiers.some((tier) => tier !== 'pure'))
  spawnSync(process.execPath, [join(root, 'scripts/ensure-clickhouse.ts')], { stdio: ['ignore', 2, 2] });
const suites: { runner: Runner; options: string[] }[] = [];
if (requestedTiers.length > 0) suites.push({ runner: vitest, options: requestedTiers.map((tier) => `--project=${tier}*`) });
if (isRequested('journeys')) suites.push({ runner: playwright, options: [] });

if (suites.length > 0) printTitle([...requestedTiers, ...(isRequested('journeys') ? ['journeys'] : [])].join(', '));
const stdio = suites.length > 1 ? 'prefixed' : 'inherit';
const processor: string[] = [];
const started = await Promise.all(
  suites.map(async ({ runner, options }) => {
    const before = processorSeconds();
    const suite = await startSuite(runner, { cwd: root, stdio, folder, ...limits }, options);
    // A child counts when it ends, so what the other runner has used by now is not in it.
    const after = processorSeconds();
    if (before && after) processor.push(`${runner.name}: ${Math.round(after.children - before.children)} s of processor`);
    return suite;
  }),
);
let ok = isChecked;
const reports: Record<string, TestResults> = {};
for (const [at, { runner }] of suites.entries()) {
  // One after the other, so that reruns have the machine to themselves.
  const outcome = await (started[at] as StartedSuite).finish();
  ok &&= outcome.ok;
  reports[runner.name] = outcome.results;
}

const report = closingReport({ checks: isChecked, tests: ok, journeys: ok }, reports);
process.stdout.write(`\n${[...slowestFiles(folder), ...processor, ...report.lines].join('\n')}\n`);
process.exitCode = report.ok ? 0 : 1;
