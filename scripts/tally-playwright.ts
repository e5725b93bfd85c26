import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, Suite, TestError } from '@playwright/test/reporter';
import { countFailure, countSkip, folder, noTests } from './tally.ts';

class PlaywrightTally implements Reporter {
  #all: Suite | undefined;
  readonly #errors: TestError[] = [];

  onBegin(_config: unknown, all: Suite): void {
    this.#all = all;
  }

  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(): void {
    const tally = noTests();
    for (const error of this.#errors) countFailure(tally, 'outside every journey', error.message);
    for (const test of this.#all?.allTests() ?? []) {
      const outcome = test.outcome();
      const name = test.titlePath().filter(Boolean).join(' › ');
      // A journey that fails and then passes has found something: 'flaky' counts as failed.
      if (outcome === 'expected') tally.passed += 1;
      else if (outcome === 'skipped') countSkip(tally, name, test.annotations.find((one) => one.type === 'skip')?.description);
      else countFailure(tally, name, test.results[0]?.error?.message);
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'playwright.json'), JSON.stringify(tally));
  }
}

// biome-ignore lint/style/noDefaultExport: Playwright finds a reporter by its default export.
export default PlaywrightTally;
