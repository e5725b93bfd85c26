import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { type Import, importsOf } from './import-graph.ts';

/** Packages: the top-level folders with code. Checks read only these. */
export const packages = ['shared', 'server', 'renderer', 'main', 'e2e', 'bench', 'scripts', 'checks'];

/** Input of the structure rules. */
export interface Tree {
  root: string;
  /** Paths of all source files, relative to the root, with forward slashes. */
  files: string[];
  imports: Import[];
}

export function readTree(root: string): Tree {
  const patterns = [`{${packages.join(',')}}/**/*.{ts,tsx,cts,mts,cjs,mjs}`, '*.{ts,mts,cts}'];
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((file) => file.split(sep).join('/'))
    .sort();
  return { root, files, imports: importsOf(root, files) };
}
