/**
 * Order of the test files: large ones first, as they take longest, but before them those that run the suite of another file. These are a few
 * lines themselves, and would otherwise begin last and let the other workers wait for them.
 */
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const runsSuite = /from '[^']*conformance\/describe-/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = new Map(sorted.map((file) => [file, runsSuite.test(readFileSync(file.moduleId, 'utf8'))]));
    return [...sorted.filter((file) => isLong.get(file)), ...sorted.filter((file) => !isLong.get(file))];
  }
}
