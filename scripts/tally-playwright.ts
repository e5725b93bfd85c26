import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, Suite } from '@playwright/test/reporter';
import { countSkip, folder, noTests } from './tally.ts';

class PlaywrightTally implements Reporter {
  #all: Suite | undefined;
  #errors = 0;

  onBegin(_config: unknown, all: Suite): void {
    this.#all = all;
  }

  onError(): void {
    this.#errors += 1;
  }

  onEnd(): void {
    const tally = noTests();
    tally.failed += this.#errors;
    for (const test of this.#all?.allTests() ?? []) {
      const outcome = test.outcome();
      // A journey that fails and then passes has found something: 'flaky' counts as failed.
      if (outcome === 'expected') tally.passed += 1;
      else if (outcome === 'skipped')
        countSkip(tally, test.titlePath().filter(Boolean).join(' › '), test.annotations.find((one) => one.type === 'skip')?.description);
      else tally.failed += 1;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'playwright.json'), JSON.stringify(tally));
  }
}

// biome-ignore lint/style/noDefaultExport: Playwright finds a reporter by its default export.
export default PlaywrightTally;
