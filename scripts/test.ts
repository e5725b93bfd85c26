/**
 * `npm test`: the checks, then the tests and beside them the browser journeys; all of them, also when one fails. What failed runs once
 * more by itself when everything else is over, and a runner that died is started again (`suite.ts`). Ends with one plain line,
 * `N passed, N failed`, over both runners, and fails when anything failed or was skipped without saying why.
 *
 * `npm test -- check pure` runs these parts alone: `check`, a tier of the tests (`pure`, `gateway`, `crash`, `fuzz`) or `journeys`.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from './closing.ts';
import type { Runner } from './runner.ts';
import { playwright, vitest } from './runners.ts';
import { type Started, startSuite } from './suite.ts';
import type { Tally } from './tally.ts';
import { tiers } from './tiers.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/test');
const minute = 60_000;

const parts = ['check', ...tiers, 'journeys'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}: the parts are ${parts.join(', ')}.\n`);
  process.exit(1);
}
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);

// Limits catch what hangs, so they are far from what a busy machine takes. CI ends everything after 90 minutes, without our last line.
const limits = { quietMs: 15 * minute, endAt: process.env.CI === undefined ? Number.POSITIVE_INFINITY : Date.now() + 80 * minute };

const title = (words: string) => process.stdout.write(`\n== ${words}\n`);

rmSync(folder, { recursive: true, force: true });

function passesCheck(): boolean {
  title('check');
  const { status } = spawnSync(process.execPath, [join(root, 'checks/check.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * minute,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

const isChecked = !isWanted('check') || passesCheck();

const ofTiers = tiers.filter(isWanted);
const suites: { runner: Runner; options: string[] }[] = [];
if (ofTiers.length > 0) suites.push({ runner: vitest, options: ofTiers.map((tier) => `--project=${tier}`) });
if (isWanted('journeys')) suites.push({ runner: playwright, options: [] });

if (suites.length > 0) title([...ofTiers, ...(isWanted('journeys') ? ['journeys'] : [])].join(', '));
const stdio = suites.length > 1 ? 'named' : 'inherit';
const started = await Promise.all(
  suites.map(({ runner, options }) => startSuite(runner, { cwd: root, stdio, folder, ...limits }, options)),
);
let ok = isChecked;
const reports: Record<string, Tally> = {};
for (const [at, { runner }] of suites.entries()) {
  // One after the other: what failed is given the machine for itself.
  const outcome = await (started[at] as Started).finish();
  ok &&= outcome.ok;
  reports[runner.name] = outcome.tally;
}

const said = closing({ isChecked, isTested: ok, isBrowsed: ok }, reports);
process.stdout.write(`\n${said.lines.join('\n')}\n`);
process.exitCode = said.ok ? 0 : 1;
