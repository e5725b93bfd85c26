/**
 * `npm test`: the checks, then the tests, then the browser journeys; all of them, also when one fails. Ends with one plain
 * line, `N passed, N failed`, over both runners, and fails when anything failed or was skipped without saying why.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from './closing.ts';
import { folder, readTally } from './tally.ts';

const root = join(import.meta.dirname, '..');

/** A runner that waits for something that never ends (a process that a failed test left behind) must not keep the others from running. */
const timeout = 40 * 60_000;

function succeeds(title: string, script: string, ...options: string[]): boolean {
  process.stdout.write(`\n== ${title}\n`);
  const { status } = spawnSync(process.execPath, [join(root, script), ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

// A report of an earlier run must not be counted when a runner dies before it writes its own.
rmSync(folder, { recursive: true, force: true });

const ends = {
  isChecked: succeeds('check', 'checks/check.ts'),
  isTested: succeeds('tests', 'node_modules/vitest/vitest.mjs', 'run'),
  isBrowsed: succeeds('browser journeys', 'node_modules/@playwright/test/cli.js', 'test'),
};

const { ok, lines } = closing(ends, { vitest: readTally('vitest'), playwright: readTally('playwright') });
process.stdout.write(`\n${lines.join('\n')}\n`);
process.exitCode = ok ? 0 : 1;
