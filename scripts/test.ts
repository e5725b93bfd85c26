/**
 * `npm test`: the checks, then the tests, then the browser journeys; all of them, also when one fails. What failed runs once more by
 * itself, and a runner that died is started again (`suite.ts`). Ends with one plain line, `N passed, N failed`, over both runners,
 * and fails when anything failed or was skipped without saying why.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from './closing.ts';
import { playwright, vitest } from './runners.ts';
import { runSuite } from './suite.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/test');
const minute = 60_000;

// Limits catch what hangs, so they are far from what a busy machine takes. CI ends everything after 90 minutes, without our last line.
const limits = { quietMs: 15 * minute, endAt: process.env.CI === undefined ? Number.POSITIVE_INFINITY : Date.now() + 80 * minute };

const title = (words: string) => process.stdout.write(`\n== ${words}\n`);

rmSync(folder, { recursive: true, force: true });

title('check');
const check = spawnSync(process.execPath, [join(root, 'checks/check.ts')], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: 20 * minute,
  killSignal: 'SIGKILL',
});

const options = { cwd: root, stdio: 'inherit', folder, ...limits } as const;
title('tests');
const tested = await runSuite(vitest, options);
title('browser journeys');
const browsed = await runSuite(playwright, options);

const ends = { isChecked: check.status === 0, isTested: tested.ok, isBrowsed: browsed.ok };
const { ok, lines } = closing(ends, { vitest: tested.tally, playwright: browsed.tally });
process.stdout.write(`\n${lines.join('\n')}\n`);
process.exitCode = ok ? 0 : 1;
