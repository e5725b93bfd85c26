import { relative, sep } from 'node:path';
import type { ReportedHookContext, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { openJournal } from './journal.ts';

const write = openJournal();

/** Vitest's own JSON report is written only at the end, and leaves out why a test was skipped (`context.skip('why')`). */
export const vitestReporter = {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const files = specifications.map(({ moduleId, project }) => relative(project.config.root, moduleId).replaceAll(sep, '/'));
    write({ kind: 'files', files });
  },

  onTestModuleStart({ relativeModuleId: file }: TestModule): void {
    write({ kind: 'began', file, name: 'its first test' });
  },

  onHookStart({ name, entity }: ReportedHookContext): void {
    const { relativeModuleId: file } = entity.type === 'module' ? entity : entity.module;
    write({ kind: 'began', file, name });
  },

  onTestCaseReady({ module, fullName }: TestCase): void {
    write({ kind: 'began', file: module.relativeModuleId, name: fullName });
  },

  onTestModuleEnd(module: TestModule): void {
    const file = module.relativeModuleId;
    for (const test of module.children.allTests()) {
      const result = test.result();
      const state = result.state === 'pending' ? 'failed' : result.state;
      const why = result.state === 'skipped' ? result.note : result.errors?.[0]?.message;
      write({ kind: 'ran', file, name: test.fullName, state, ...(why === undefined ? {} : { why }) });
    }
    const suiteErrors = [...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map(({ message }) => `${suite.fullName}: ${message}`),
    );
    const { duration, collectDuration } = module.diagnostic();
    const errors = [...module.errors().map(({ message }) => message), ...suiteErrors];
    write({ kind: 'whole', file, errors, ms: Math.round(duration + collectDuration) });
  },

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) write({ kind: 'error', why: withCauses(error) });
    write({ kind: 'end' });
  },
};

/** The message with the path of the test file and the causes, which say how its process ended. */
function withCauses({ message, cause, VITEST_TEST_PATH: path }: SerializedError): string {
  const at = path ? `\nin ${path}` : '';
  return cause === undefined ? message + at : `${message}${at}\n${withCauses(cause)}`;
}
