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
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // A forgotten `.only` would turn a green run into a lie.
    allowOnly: !isCi,
    reporters: ['default', tallyVitest],
  },
});
