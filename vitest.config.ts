import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { tallyVitest } from './scripts/tally-vitest.ts';

const isCi = process.env.CI !== undefined;

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    include: ['{shared,server,renderer,main,bench,scripts,checks}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // A process for each file: the SQLite driver is native, and a test that ends its workers badly must not end others.
    pool: 'forks',
    // As `npm run gateway`: tests start threads by the hundred.
    execArgv: [`--require=${join(import.meta.dirname, 'scripts/from-sources.cjs')}`],
    // Vitest leaves one processor free: of two, half. Many tests wait for processes that they start.
    maxWorkers: '100%',
    // Limits are for what hangs, whatever else the machine does. A test that must be quicker than something else says so by order, not
    // by time; how quick things are is for the benchmarks to say.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    // A forgotten `.only` would turn a green run into a lie.
    allowOnly: !isCi,
    reporters: ['default', tallyVitest],
  },
});
