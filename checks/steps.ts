import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** One program that must exit with 0. It is started with the running Node, so that PATH does not matter. */
export interface Step {
  name: string;
  /** A script and its arguments. */
  node: string[];
}

/**
 * Each package compiles with the types it may use: `process` in shared/ or `document` in server/ is an unknown name. Two packages at a time
 * with one thread each: several threads for one package check the same files again, which takes two to three times the CPU time.
 */
const types: Step = {
  name: 'types',
  node: ['node_modules/typescript/bin/tsc', '--build', '--builders', '2', '--checkers', '1', '--pretty', 'false'],
};

function contract(root: string): Step[] {
  const hasContract = existsSync(join(root, 'server/app/openapi.ts')) || existsSync(join(root, 'docs/openapi.json'));
  if (!hasContract) return [];
  return [
    { name: 'contract lock', node: ['checks/contract-lock.ts'] },
    { name: 'API document', node: ['checks/api-document.ts'] },
  ];
}

/** The longest first: they run two at a time. */
export const steps = (root: string): Step[] => [
  { name: 'dead code', node: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  {
    name: 'lint',
    node: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '--diagnostic-level=warn',
      '--max-diagnostics=none',
      '--colors=off',
    ],
  },
  types,
  { name: 'structure', node: ['checks/structure.ts'] },
  { name: 'citations', node: ['checks/citations.ts'] },
  { name: 'words', node: ['checks/words.ts'] },
  ...contract(root),
];
