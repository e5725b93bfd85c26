import { relative, sep } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { openJournal } from './journal.ts';

class PlaywrightReporter implements Reporter {
  readonly #write = openJournal();
  #folder = '';
  readonly #errors: TestError[] = [];
  /** The tests of each file that are not yet in the journal. */
  readonly #pending = new Map<string, Set<TestCase>>();
  /** Milliseconds that the tests of each file took, with their hooks. */
  readonly #took = new Map<string, number>();

  onBegin({ rootDir }: FullConfig, all: Suite): void {
    this.#folder = rootDir;
    for (const test of all.allTests()) {
      const { file } = nameOf(test);
      this.#pending.set(file, (this.#pending.get(file) ?? new Set()).add(test));
    }
    this.#write({ kind: 'files', files: [...this.#pending.keys()] });
  }

  onTestBegin(test: TestCase): void {
    this.#write({ kind: 'began', ...nameOf(test) });
  }

  onTestEnd(test: TestCase, { error, duration }: TestResult): void {
    const { file } = nameOf(test);
    this.#took.set(file, (this.#took.get(file) ?? 0) + duration);
    this.#writeResult(test, error?.message);
  }

  /** May be called before `onBegin`, which has the folder that paths are relative to. */
  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(): void {
    // Tests that Playwright did not start, such as those after a failure in a serial suite.
    for (const tests of this.#pending.values()) for (const test of tests) this.#writeResult(test);
    for (const { message, location } of this.#errors) {
      const file = location ? { file: relative(this.#folder, location.file).replaceAll(sep, '/') } : {};
      this.#write({ kind: 'error', ...file, why: message ?? 'without a message' });
    }
    this.#write({ kind: 'end' });
  }

  #writeResult(test: TestCase, error?: string): void {
    const { file, name } = nameOf(test);
    const outcome = test.outcome();
    const state = outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed';
    const why = state === 'skipped' ? test.annotations.find(({ type }) => type === 'skip')?.description : error;
    this.#write({ kind: 'ran', file, name, state, ...(why === undefined ? {} : { why }) });
    const pending = this.#pending.get(file);
    if (pending?.delete(test) && pending.size === 0) this.#write({ kind: 'whole', file, errors: [], ms: this.#took.get(file) ?? 0 });
  }
}

/** A title path starts with the root and the project, whose names are empty here. */
function nameOf(test: TestCase): { file: string; name: string } {
  const [, , file = '', ...titles] = test.titlePath();
  return { file, name: titles.join(' › ') };
}

// biome-ignore lint/style/noDefaultExport: Playwright finds a reporter by its default export.
export default PlaywrightReporter;
