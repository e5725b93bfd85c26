/** What several runs of the same tests say together. */
import type { Line } from './journal.ts';
import { countFailure, countFlaky, countSkip, noTests, type Tally } from './tally.ts';

/** A test, a file (for what is wrong with it outside its tests), or what belongs to no file. */
interface Subject {
  name: string;
  file: string | undefined;
  isTest: boolean;
  runs: { state: 'passed' | 'failed' | 'skipped'; why?: string | undefined }[];
}

/** One run of a runner, in the order in which it told it. */
export type Run = readonly Line[];

export const hasEnded = (run: Run): boolean => run.at(-1)?.kind === 'end';

/** The files that the run was to run and has told wholly. */
export function filesOf(run: Run): { all: string[]; whole: string[] } {
  const all = run.flatMap((line) => (line.kind === 'files' ? line.files : []));
  return { all, whole: run.flatMap((line) => (line.kind === 'whole' ? [line.file] : [])) };
}

/**
 * What failed in every run that ran it has failed. What failed in one and passed in another is flaky. A file that no run has told
 * wholly has failed, whatever its tests said.
 */
export function judge(runs: readonly Run[]): { tally: Tally; failed: { count: number; files: string[] } } {
  const tally = noTests();
  const files = new Set<string>();
  for (const { name, file, isTest, runs: seen } of subjectsOf(runs).values()) {
    const failure = seen.find(({ state }) => state === 'failed');
    const hasPassed = seen.some(({ state }) => state === 'passed');
    if (failure && !hasPassed) {
      countFailure(tally, name, failure.why);
      if (file !== undefined) files.add(file);
    } else if (failure) countFlaky(tally, name, failure.why);
    else if (!hasPassed) countSkip(tally, name, seen.at(-1)?.why);
    if (isTest && hasPassed) tally.passed += 1;
  }
  return { tally, failed: { count: tally.failures.length, files: [...files] } };
}

function subjectsOf(runs: readonly Run[]): Map<string, Subject> {
  const subjects = new Map<string, Subject>();
  const add = (key: string, subject: Omit<Subject, 'runs'>, run: Subject['runs'][number]) => {
    const known = subjects.get(key) ?? { ...subject, runs: [] };
    subjects.set(key, known);
    known.runs.push(run);
  };
  for (const run of runs) {
    const namesakes = new Map<string, number>();
    for (const line of run) {
      if (line.kind !== 'ran') continue;
      const name = `${line.file} > ${line.name}`;
      const nth = (namesakes.get(name) ?? 0) + 1;
      namesakes.set(name, nth);
      add(`${name}#${nth}`, { name, file: line.file, isTest: true }, line);
    }
    const { byFile, elsewhere } = errorsOf(run);
    const { all, whole } = filesOf(run);
    for (const [file, [why]] of byFile) add(file, { name: file, file, isTest: false }, { state: 'failed', why });
    for (const file of whole) if (!byFile.has(file)) add(file, { name: file, file, isTest: false }, { state: 'passed' });
    for (const why of elsewhere) add(why, { name: 'outside every test', file: undefined, isTest: false }, { state: 'failed', why });
    // A run that died says so itself; whether the file failed is for a later one to say.
    const untold = all.filter((file) => !whole.includes(file) && !byFile.has(file) && (hasEnded(run) || run === runs.at(-1)));
    for (const file of untold) add(file, { name: file, file, isTest: false }, { state: 'failed', why: 'was not run to its end' });
  }
  return subjects;
}

function errorsOf(run: Run): { byFile: Map<string, string[]>; elsewhere: string[] } {
  const byFile = new Map<string, string[]>();
  const elsewhere: string[] = [];
  const { all } = filesOf(run);
  const tell = (file: string, whys: string[]) => whys.length > 0 && byFile.set(file, [...(byFile.get(file) ?? []), ...whys]);
  for (const line of run) {
    if (line.kind === 'whole') tell(line.file, line.errors);
    if (line.kind !== 'error') continue;
    // Vitest names the file only in the text.
    const file = line.file ?? all.find((each) => line.why.includes(each));
    if (file === undefined) elsewhere.push(line.why);
    else tell(file, [line.why]);
  }
  return { byFile, elsewhere };
}
