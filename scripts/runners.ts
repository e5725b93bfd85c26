import type { Runner } from './runner.ts';

const modules = `${import.meta.dirname}/../node_modules`;
const escapePattern = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const vitest: Runner = {
  name: 'vitest',
  command: [`${modules}/vitest/vitest.mjs`, 'run'],
  only: (files) => [...files],
  serial: ['--maxWorkers=1'],
};

/** Its files are relative to `testDir`. Every file name on its command line is a regular expression. */
export const playwright: Runner = {
  name: 'playwright',
  command: [`${modules}/@playwright/test/cli.js`, 'test'],
  only: (files) => files.map((file) => `[\\\\/]${escapePattern(file).replaceAll('/', '[\\\\/]')}$`),
  serial: ['--workers=1', '--trace=retain-on-failure'],
};
