import { relative, sep } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { openJournal } from './journal.ts';

class PlaywrightTally implements Reporter {
  readonly #tell = openJournal();
  #folder = '';
  readonly #errors: TestError[] = [];
  /** The tests of each file that have not been told. */
  readonly #untold = new Map<string, Set<TestCase>>();

  onBegin({ rootDir }: FullConfig, all: Suite): void {
    this.#folder = rootDir;
    for (const test of all.allTests()) {
      const { file } = placeOf(test);
      this.#untold.set(file, (this.#untold.get(file) ?? new Set()).add(test));
    }
    this.#tell({ kind: 'files', files: [...this.#untold.keys()] });
  }

  onTestBegin(test: TestCase): void {
    this.#tell({ kind: 'began', ...placeOf(test) });
  }

  onTestEnd(test: TestCase, { error }: TestResult): void {
    this.#ran(test, error?.message);
  }

  /** May come before the beginning, which says what paths are relative to. */
  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(): void {
    // Those that Playwright did not begin, as the ones after a failure where each needs the one before.
    for (const tests of this.#untold.values()) for (const test of tests) this.#ran(test);
    for (const { message, location } of this.#errors) {
      const file = location ? { file: relative(this.#folder, location.file).replaceAll(sep, '/') } : {};
      this.#tell({ kind: 'error', ...file, why: message ?? 'without a message' });
    }
    this.#tell({ kind: 'end' });
  }

  #ran(test: TestCase, error?: string): void {
    const { file, name } = placeOf(test);
    const outcome = test.outcome();
    const state = outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed';
    const why = state === 'skipped' ? test.annotations.find(({ type }) => type === 'skip')?.description : error;
    this.#tell({ kind: 'ran', file, name, state, ...(why === undefined ? {} : { why }) });
    const untold = this.#untold.get(file);
    if (untold?.delete(test) && untold.size === 0) this.#tell({ kind: 'whole', file, errors: [] });
  }
}

/** A title path begins with the root and the project, which have no names here. */
function placeOf(test: TestCase): { file: string; name: string } {
  const [, , file = '', ...titles] = test.titlePath();
  return { file, name: titles.join(' › ') };
}

// biome-ignore lint/style/noDefaultExport: Playwright finds a reporter by its default export.
export default PlaywrightTally;
