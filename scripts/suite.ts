/** One runner from its start to a verdict that only real faults make red. */
import { join } from 'node:path';
import { filesOf, hasEnded, judge, type Run } from './judge.ts';
import { type Ended, type Limits, type Place, type Runner, runOnce } from './runner.ts';
import type { Tally } from './tally.ts';

/** More than these are no accident of a busy machine. */
const failuresMax = 20;

export interface SuiteOptions extends Omit<Place, 'journal'>, Limits {
  /** Where the journals go. */
  folder: string;
}

export interface Outcome {
  /** That each run ended as it should: with its report, and with an exit code that its failures explain. */
  ok: boolean;
  tally: Tally;
}

/** What ran once. `finish` runs what failed once more, and is for a time when nothing else runs. */
export interface Started {
  finish(): Promise<Outcome>;
}

export const runSuite = async (runner: Runner, options: SuiteOptions): Promise<Outcome> => (await startSuite(runner, options)).finish();

/**
 * Runs everything. A runner that dies before it has told everything is started once more, for the files that are missing. Then the
 * files in which something failed run once more, one at a time: whole files, because a test may need those before it.
 * @param options those of the runner: which of its tests
 */
export async function startSuite(runner: Runner, { folder, cwd, stdio, ...limits }: SuiteOptions, which: string[] = []): Promise<Started> {
  const told: string[] = [];
  const runs: Run[] = [];
  const start = async (options: string[]): Promise<Ended> => {
    const journal = join(folder, `${runner.name}-${runs.length + 1}.jsonl`);
    const ended = await runOnce(runner, [...which, ...options], { cwd, journal, stdio }, limits);
    runs.push(ended.run);
    return ended;
  };
  const close = (ok: boolean): Outcome => ({ ok, tally: { ...judge(runs).tally, told } });
  const over = (): Started => ({ finish: async () => close(false) });

  let last = await start([]);
  if (!hasEnded(last.run)) {
    const { all, whole } = filesOf(last.run);
    const missing = all.filter((file) => !whole.includes(file));
    const died = `${runner.name} ended without its report (${last.how})`;
    told.push(last.isOutOfTime ? died : `${died} and was started again for ${all.length === 0 ? 'all' : missing.length} files`);
    if (last.isOutOfTime) return over();
    last = await start(all.length === 0 ? [] : runner.only(missing));
    if (!hasEnded(last.run)) {
      told.push(`${runner.name} ended without its report again (${last.how})`);
      return over();
    }
  }
  const isExplained = explains(last, told, runner);
  return { finish: async () => close((await runAgain(runner, runs, start, { told, stdio, endAt: limits.endAt })) && isExplained) };
}

/** @returns whether that run, if there was any, ended as its failures explain */
async function runAgain(
  runner: Runner,
  runs: readonly Run[],
  start: (options: string[]) => Promise<Ended>,
  { told, stdio, endAt }: { told: string[]; stdio: Place['stdio']; endAt: number },
): Promise<boolean> {
  const { count, files } = judge(runs).failed;
  if (files.length === 0 && count <= failuresMax) return true;
  if (count > failuresMax) told.push(`${runner.name}: more than ${failuresMax} failed, so nothing was run again`);
  else if (Date.now() >= endAt) told.push(`${runner.name}: the time for all tests was over, so nothing was run again`);
  if (count > failuresMax || Date.now() >= endAt) return true;
  if (stdio !== 'ignore') process.stdout.write(`\n== ${runner.name} again, alone: ${files.join(' ')}\n`);
  // Playwright runs nothing when one file cannot be loaded.
  const hasRun = runs.some((run) => run.some(({ kind }) => kind === 'ran'));
  const last = await start([...runner.alone, ...(hasRun ? runner.only(files) : [])]);
  if (hasEnded(last.run)) return explains(last, told, runner);
  told.push(`${runner.name} ended without its report when what failed ran again (${last.how})`);
  return true;
}

/** A runner may end with 1 because of what it has told, and else only with 0. */
function explains({ run, code, how }: Ended, told: string[], { name }: Runner): boolean {
  const hasFailed = judge([run]).failed.count > 0 || judge([run]).tally.silent.length > 0;
  if (code === 0 || (code === 1 && hasFailed)) return true;
  told.push(`${name} ended badly (${how}), which counts as a failure`);
  return false;
}
