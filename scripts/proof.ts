/**
 * `npm run proof`: what changed since this branch left main, proven in about a minute: format and lint of the changed files, types, the
 * structure rules, the contract lock, and the tests nearest to the change. Files as arguments stand for what changed. It says what it
 * left out; `npm test` runs everything.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../checks/tree.ts';
import { changedFiles } from './changed-files.ts';
import { closing } from './closing.ts';
import type { Runner } from './runner.ts';
import { playwright, vitest } from './runners.ts';
import { select } from './selection.ts';
import { startSuite } from './suite.ts';
import type { Tally } from './tally.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/proof');
const began = performance.now();
const named = process.argv.slice(2);
const missing = named.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) {
  process.stderr.write(`There is no file ${missing.join(', ')}.\n`);
  process.exit(1);
}
const changed = named.length > 0 ? named : changedFiles(root);

function passes(script: string, words: readonly string[]): Promise<boolean> {
  const options: SpawnOptions = { cwd: root, stdio: 'inherit' };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...words], options);
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

async function passesChecks(): Promise<boolean> {
  const lint = ['check', '--error-on-warnings', '--diagnostic-level=warn', '--no-errors-on-unmatched', '--colors=off', ...changed];
  const isLinted = await passes('node_modules/@biomejs/biome/bin/biome', lint);
  return (await passes('checks/check.ts', ['types', 'structure', 'contract'])) && isLinted;
}

async function runs(runner: Runner, files: readonly string[]): Promise<{ ok: boolean; tally: Tally; runner: Runner }> {
  const limits = { quietMs: 600_000, endAt: Number.POSITIVE_INFINITY };
  const started = await startSuite(runner, { cwd: root, stdio: 'named', folder, ...limits }, runner.only(files));
  return { runner, ...(await started.finish()) };
}

async function browses(files: readonly string[]): ReturnType<typeof runs> {
  const ensured = await passes('scripts/ensure-viewer.ts', []);
  if (!ensured) throw new Error('without a viewer there are no journeys');
  return runs(
    playwright,
    files.map((file) => file.replace(/^e2e\//, '')),
  );
}

if (changed.length === 0) {
  process.stdout.write('Nothing has changed since this branch left main: there is nothing to prove.\n');
} else {
  const { tests, left, journeys } = select(changed, readTree(root));
  process.stdout.write(`${changed.length} files changed; ${tests.length} files of tests, ${journeys.join(' ') || 'no journeys'}\n`);
  const [isChecked, ...suites] = await Promise.all([
    passesChecks(),
    ...(tests.length > 0 ? [runs(vitest, tests)] : []),
    ...(journeys.length > 0 ? [browses(journeys)] : []),
  ]);
  const ok = suites.every((suite) => suite.ok);
  const reports = Object.fromEntries(suites.map(({ runner, tally }) => [runner.name, tally]));
  const said = closing({ isChecked, isTested: ok, isBrowsed: ok }, reports);
  if (left.length > 0) process.stdout.write(`\nRelated and not run, for npm test: ${left.length} files of tests\n`);
  process.stdout.write(`\n${said.lines.join('\n')}\nproof took ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  process.exitCode = said.ok ? 0 : 1;
}
