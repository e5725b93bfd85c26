import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { type Import, importsOf } from './import-graph.ts';

/** The folders that hold code. A folder that is not among these is in no check: add it here. */
export const rooms = ['shared', 'server', 'renderer', 'main', 'e2e', 'bench', 'scripts', 'checks'];

/** What our own rules look at. */
export interface Tree {
  root: string;
  /** Every source file, relative to the root, with forward slashes. */
  files: string[];
  imports: Import[];
}

export function readTree(root: string): Tree {
  const patterns = [`{${rooms.join(',')}}/**/*.{ts,tsx,cts,mts,cjs,mjs}`, '*.{ts,mts,cts}'];
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((file) => file.split(sep).join('/'))
    .sort();
  return { root, files, imports: importsOf(root, files) };
}
