import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/test-order.ts';
import { type Tier, tiers } from './scripts/tiers.ts';
import { vitestReporter } from './scripts/vitest-reporter.ts';

const isCi = process.env.CI !== undefined;

const packages = '{shared,server,renderer,main,bench,scripts,checks}/**';
const ofRoutes = 'server/modules/**/*.gateway.test.ts';
const inProcesses = { pool: 'forks' as const, setupFiles: [join(import.meta.dirname, 'scripts/note-processor.ts')] };
const suffixed = tiers.filter((tier) => tier !== 'pure');

/** A process for each file: the SQLite driver is native, and a test that ends its workers badly must not end others. */
const tier = (name: Exclude<Tier, 'pure'>): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`${packages}/*.${name}.test.{ts,tsx}`], exclude: [...configDefaults.exclude, ofRoutes], ...inProcesses },
});

/** Of the tests of routes, each loads the whole gateway, which takes longer than most of them: a few processes run them all, and load it once. */
const routes: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'gateway-routes', include: [ofRoutes], isolate: false, ...inProcesses },
};

/** These leave nothing behind, so a few threads run them all, and what they import is loaded once. */
const pure: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'pure',
    include: [`${packages}/*.test.{ts,tsx}`],
    exclude: ['**/node_modules/**', `**/*.{${suffixed.join(',')}}.test.*`],
    pool: 'threads',
    isolate: false,
  },
};

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    projects: [...suffixed.map(tier), routes, pure],
    environment: 'node',
    sequence: { sequencer: LongestFirst },
    globalSetup: join(import.meta.dirname, 'scripts/thread-bundle.ts'),
    // As `npm run gateway`: tests start threads by the hundred.
    execArgv: [`--require=${join(import.meta.dirname, 'scripts/from-sources.cjs')}`],
    // One more than processors: many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    // Limits are for what hangs, whatever else the machine does. A test that must be quicker than something else says so by order, not
    // by time; how quick things are is for the benchmarks to say.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    // A forgotten `.only` would turn a green run into a lie.
    allowOnly: !isCi,
    reporters: ['default', vitestReporter],
  },
});
