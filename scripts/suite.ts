/** Runs one test runner to its final result, in which only repeated failures fail. */
import { join } from 'node:path';
import { filesOf, hasEnded, judge, type Run } from './judge.ts';
import { type Limits, type RunEnd, type Runner, type RunOptions, runOnce } from './runner.ts';
import type { TestResults } from './test-results.ts';

/** More failures than this are not caused by a busy machine. */
const failuresMax = 20;

export interface SuiteOptions extends Omit<RunOptions, 'journal'>, Limits {
  /** The folder for the journals. */
  folder: string;
}

export interface Outcome {
  /** Whether each run ended with its report, and with an exit code that matches its failures. */
  ok: boolean;
  results: TestResults;
}

/** A suite that ran once. `finish` reruns what failed; call it when nothing else runs. */
export interface StartedSuite {
  finish(): Promise<Outcome>;
}

export const runSuite = async (runner: Runner, options: SuiteOptions): Promise<Outcome> => (await startSuite(runner, options)).finish();

/**
 * Runs everything. A runner that crashes before its report is complete is started once more, for the missing files. Then the files in
 * which something failed run once more, one at a time: whole files, because a test may need those before it.
 * @param which options of the runner that select tests
 */
export async function startSuite(
  runner: Runner,
  { folder, cwd, stdio, ...limits }: SuiteOptions,
  which: string[] = [],
): Promise<StartedSuite> {
  const notes: string[] = [];
  const runs: Run[] = [];
  const start = async (options: string[]): Promise<RunEnd> => {
    const journal = join(folder, `${runner.name}-${runs.length + 1}.jsonl`);
    const end = await runOnce(runner, [...which, ...options], { cwd, journal, stdio }, limits);
    runs.push(end.run);
    return end;
  };
  const close = (ok: boolean): Outcome => ({ ok, results: { ...judge(runs).results, notes } });
  const abandon = (): StartedSuite => ({ finish: async () => close(false) });

  let last = await start([]);
  if (!hasEnded(last.run)) {
    const { all, complete } = filesOf(last.run);
    const missing = all.filter((file) => !complete.includes(file));
    const message = `${runner.name} ended without its report (${last.how})`;
    notes.push(last.isOutOfTime ? message : `${message} and was started again for ${all.length === 0 ? 'all' : missing.length} files`);
    if (last.isOutOfTime) return abandon();
    last = await start(all.length === 0 ? [] : runner.only(missing));
    if (!hasEnded(last.run)) {
      notes.push(`${runner.name} ended without its report again (${last.how})`);
      return abandon();
    }
  }
  const isExplained = isExitExplained(last, notes, runner);
  return { finish: async () => close((await rerun(runner, runs, start, { notes, stdio, endAt: limits.endAt })) && isExplained) };
}

/** @returns whether the rerun, if there was one, ended with an exit code that matches its failures */
async function rerun(
  runner: Runner,
  runs: readonly Run[],
  start: (options: string[]) => Promise<RunEnd>,
  { notes, stdio, endAt }: { notes: string[]; stdio: RunOptions['stdio']; endAt: number },
): Promise<boolean> {
  const { count, files } = judge(runs).failed;
  if (files.length === 0 && count <= failuresMax) return true;
  if (count > failuresMax) notes.push(`${runner.name}: more than ${failuresMax} failed, so nothing was run again`);
  else if (Date.now() >= endAt) notes.push(`${runner.name}: the time for all tests was over, so nothing was run again`);
  if (count > failuresMax || Date.now() >= endAt) return true;
  if (stdio !== 'ignore') process.stdout.write(`\n== ${runner.name} again, alone: ${files.join(' ')}\n`);
  // Playwright runs nothing when one file cannot be loaded.
  const hasRun = runs.some((run) => run.some(({ kind }) => kind === 'ran'));
  const last = await start([...runner.serial, ...(hasRun ? runner.only(files) : [])]);
  if (hasEnded(last.run)) return isExitExplained(last, notes, runner);
  notes.push(`${runner.name} ended without its report when what failed ran again (${last.how})`);
  return true;
}

/** A runner may exit with 1 only when it reported failures, and otherwise only with 0. */
function isExitExplained({ run, code, how }: RunEnd, notes: string[], { name }: Runner): boolean {
  const hasFailed = judge([run]).failed.count > 0 || judge([run]).results.skippedWithoutReason.length > 0;
  if (code === 0 || (code === 1 && hasFailed)) return true;
  notes.push(`${name} ended badly (${how}), which counts as a failure`);
  return false;
}
