import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestModule } from 'vitest/node';
import { countSkip, folder, noTests } from './tally.ts';

/** Vitest's own JSON report leaves out why a test was skipped (`context.skip('why')`). */
export const tallyVitest = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tally = noTests();
    tally.failed += unhandled.length;
    for (const module of modules) {
      tally.failed += module.errors().length;
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') tally.passed += 1;
        else if (result.state === 'skipped') countSkip(tally, `${module.relativeModuleId} › ${test.fullName}`, result.note);
        else tally.failed += 1;
      }
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'vitest.json'), JSON.stringify(tally));
  },
};
