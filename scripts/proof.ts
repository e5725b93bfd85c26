/**
 * `npm run proof`: checks the changes since this branch left main in about a minute: format and lint of the changed files, types, the
 * structure rules, the contract lock, and the tests nearest to the change. Files as arguments replace the list of changed files. It says
 * how many related tests it left out; `npm test` runs everything.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTree, type Tree } from '../checks/tree.ts';
import { changedFiles } from './changed-files.ts';
import { closingReport } from './closing.ts';
import type { Runner } from './runner.ts';
import { playwright, vitest } from './runners.ts';
import { dependentsOf, select } from './selection.ts';
import { startSuite } from './suite.ts';
import type { TestResults } from './test-results.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/proof');
const startedAt = performance.now();
const requested = process.argv.slice(2);
const missing = requested.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) {
  process.stderr.write(`No such file: ${missing.join(', ')}\n`);
  process.exit(1);
}
const changed = requested.length > 0 ? requested : changedFiles(root);

function passes(script: string, args: readonly string[]): Promise<boolean> {
  const options: SpawnOptions = { cwd: root, stdio: 'inherit' };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...args], options);
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

async function passesChecks(): Promise<boolean> {
  const lint = ['check', '--error-on-warnings', '--diagnostic-level=warn', '--no-errors-on-unmatched', '--colors=off', ...changed];
  const isLinted = await passes('node_modules/@biomejs/biome/bin/biome', lint);
  return (await passes('checks/check.ts', ['types', 'structure', 'contract'])) && isLinted;
}

async function runTests(runner: Runner, files: readonly string[]): Promise<{ ok: boolean; results: TestResults; runner: Runner }> {
  const limits = { quietMs: 600_000, endAt: Number.POSITIVE_INFINITY };
  const started = await startSuite(runner, { cwd: root, stdio: 'prefixed', folder, ...limits }, runner.only(files));
  return { runner, ...(await started.finish()) };
}

/** Without ClickHouse, the tests that need it fail and say why. */
async function runSelected(files: readonly string[], { imports }: Tree): ReturnType<typeof runTests> {
  const needing = dependentsOf(['server/fixtures/clickhouse.ts'], imports);
  if (files.some((file) => needing.has(file))) await passes('scripts/ensure-clickhouse.ts', []);
  return runTests(vitest, files);
}

async function runJourneys(files: readonly string[]): ReturnType<typeof runTests> {
  const ensured = await passes('scripts/ensure-viewer.ts', []);
  if (!ensured) throw new Error('the viewer for the journeys could not be built');
  return runTests(
    playwright,
    files.map((file) => file.replace(/^e2e\//, '')),
  );
}

if (changed.length === 0) {
  process.stdout.write('Nothing has changed since this branch left main: there is nothing to check.\n');
} else {
  const tree = readTree(root);
  const { tests, omitted, journeys } = select(changed, tree);
  process.stdout.write(`${changed.length} files changed; ${tests.length} test files, ${journeys.join(' ') || 'no journeys'}\n`);
  const [isChecked, ...suites] = await Promise.all([
    passesChecks(),
    ...(tests.length > 0 ? [runSelected(tests, tree)] : []),
    ...(journeys.length > 0 ? [runJourneys(journeys)] : []),
  ]);
  const ok = suites.every((suite) => suite.ok);
  const reports = Object.fromEntries(suites.map(({ runner, results }) => [runner.name, results]));
  const report = closingReport({ checks: isChecked, tests: ok, journeys: ok }, reports);
  if (omitted.length > 0) process.stdout.write(`\nRelated tests left to npm test: ${omitted.length} files\n`);
  process.stdout.write(`\n${report.lines.join('\n')}\nproof took ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
  process.exitCode = report.ok ? 0 : 1;
}
