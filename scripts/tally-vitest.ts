import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SerializedError, TestModule } from 'vitest/node';
import { countFailure, countSkip, folder, noTests } from './tally.ts';

/** Vitest's own JSON report leaves out why a test was skipped (`context.skip('why')`). */
export const tallyVitest = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tally = noTests();
    for (const error of unhandled) countFailure(tally, 'outside every test', withCauses(error));
    for (const module of modules) {
      for (const error of module.errors()) countFailure(tally, module.relativeModuleId, error.message);
      for (const suite of module.children.allSuites())
        for (const error of suite.errors()) countFailure(tally, `${module.relativeModuleId} › ${suite.fullName}`, error.message);
      for (const test of module.children.allTests()) {
        const result = test.result();
        const name = `${module.relativeModuleId} › ${test.fullName}`;
        if (result.state === 'passed') tally.passed += 1;
        else if (result.state === 'skipped') countSkip(tally, name, result.note);
        else countFailure(tally, name, result.errors?.[0]?.message);
      }
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'vitest.json'), JSON.stringify(tally));
  },
};

/** The cause says how a process of tests ended (its signal, its file); the message alone says only that it did. */
function withCauses(error: SerializedError): string {
  const { cause } = error;
  return cause === undefined ? error.message : `${error.message}\n${withCauses(cause)}`;
}
