/** Combines the results of several runs of the same tests. */
import type { Line } from './journal.ts';
import { addFailure, addFlaky, addSkip, noResults, type TestResults } from './test-results.ts';

/** A test, a file (for errors outside its tests), or an error that belongs to no file. */
interface Subject {
  name: string;
  file: string | undefined;
  isTest: boolean;
  runs: { state: 'passed' | 'failed' | 'skipped'; why?: string | undefined }[];
}

/** The journal of one run, in order. */
export type Run = readonly Line[];

export const hasEnded = (run: Run): boolean => run.at(-1)?.kind === 'end';

/** The files of a run: all that it had to run, and those that it completed. */
export function filesOf(run: Run): { all: string[]; complete: string[] } {
  const all = run.flatMap((line) => (line.kind === 'files' ? line.files : []));
  return { all, complete: run.flatMap((line) => (line.kind === 'whole' ? [line.file] : [])) };
}

/**
 * A test that failed in every run that ran it has failed. One that failed in one run and passed in another is flaky. A file that no run
 * completed has failed, whatever the results of its tests.
 */
export function judge(runs: readonly Run[]): { results: TestResults; failed: { count: number; files: string[] } } {
  const results = noResults();
  const files = new Set<string>();
  for (const { name, file, isTest, runs: outcomes } of subjectsOf(runs).values()) {
    const failure = outcomes.find(({ state }) => state === 'failed');
    const hasPassed = outcomes.some(({ state }) => state === 'passed');
    if (failure && !hasPassed) {
      addFailure(results, name, failure.why);
      if (file !== undefined) files.add(file);
    } else if (failure) addFlaky(results, name, failure.why);
    else if (!hasPassed) addSkip(results, name, outcomes.at(-1)?.why);
    if (isTest && hasPassed) results.passed += 1;
  }
  return { results, failed: { count: results.failures.length, files: [...files] } };
}

function subjectsOf(runs: readonly Run[]): Map<string, Subject> {
  const subjects = new Map<string, Subject>();
  const add = (key: string, subject: Omit<Subject, 'runs'>, run: Subject['runs'][number]) => {
    const entry = subjects.get(key) ?? { ...subject, runs: [] };
    subjects.set(key, entry);
    entry.runs.push(run);
  };
  for (const run of runs) {
    const occurrences = new Map<string, number>();
    for (const line of run) {
      if (line.kind !== 'ran') continue;
      const name = `${line.file} > ${line.name}`;
      const nth = (occurrences.get(name) ?? 0) + 1;
      occurrences.set(name, nth);
      add(`${name}#${nth}`, { name, file: line.file, isTest: true }, line);
    }
    const { byFile, elsewhere } = errorsOf(run);
    const { all, complete } = filesOf(run);
    for (const [file, [why]] of byFile) add(file, { name: file, file, isTest: false }, { state: 'failed', why });
    for (const file of complete) if (!byFile.has(file)) add(file, { name: file, file, isTest: false }, { state: 'passed' });
    for (const why of elsewhere) add(why, { name: 'outside every test', file: undefined, isTest: false }, { state: 'failed', why });
    // When a run crashed, a later run decides whether the file failed.
    const incomplete = all.filter((file) => !complete.includes(file) && !byFile.has(file) && (hasEnded(run) || run === runs.at(-1)));
    for (const file of incomplete) add(file, { name: file, file, isTest: false }, { state: 'failed', why: 'was not run to its end' });
  }
  return subjects;
}

function errorsOf(run: Run): { byFile: Map<string, string[]>; elsewhere: string[] } {
  const byFile = new Map<string, string[]>();
  const elsewhere: string[] = [];
  const { all } = filesOf(run);
  const addTo = (file: string, errors: string[]) => errors.length > 0 && byFile.set(file, [...(byFile.get(file) ?? []), ...errors]);
  for (const line of run) {
    if (line.kind === 'whole') addTo(line.file, line.errors);
    if (line.kind !== 'error') continue;
    // Vitest names the file only in the error text.
    const file = line.file ?? all.find((path) => line.why.includes(path));
    if (file === undefined) elsewhere.push(line.why);
    else addTo(file, [line.why]);
  }
  return { byFile, elsewhere };
}
