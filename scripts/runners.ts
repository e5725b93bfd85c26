import type { Runner } from './runner.ts';

const modules = `${import.meta.dirname}/../node_modules`;
const literally = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const vitest: Runner = {
  name: 'vitest',
  command: [`${modules}/vitest/vitest.mjs`, 'run'],
  only: (files) => [...files],
  alone: ['--maxWorkers=1'],
};

/** Its files are named below `testDir`. A name on its command line is a pattern, even one without any sign of it. */
export const playwright: Runner = {
  name: 'playwright',
  command: [`${modules}/@playwright/test/cli.js`, 'test'],
  only: (files) => files.map((file) => `[\\\\/]${literally(file).replaceAll('/', '[\\\\/]')}$`),
  alone: ['--workers=1', '--trace=retain-on-failure'],
};
