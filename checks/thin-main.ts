/**
 * What imports electron cannot be tested without it, so it is kept too small to hold a decision (ADR 009). The desktop's logic
 * lives in main/desktop/, which the one-way rules keep plain.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const linesMax = 600;
const electronFilesMax = 10;

const isMain = (file: string) => file.startsWith('main/') && !file.includes('.test.');
/** Types too: they are how an API creeps in. */
const isElectron = (specifier: string) => specifier === 'electron' || specifier.startsWith('electron/');
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').length;

function tooLong({ root, imports }: Tree): Finding[] {
  const files = new Set(imports.filter((one) => isMain(one.from) && isElectron(one.specifier)).map((one) => one.from));
  const lines = [...files].reduce((sum, file) => sum + linesOf(join(root, file)), 0);
  if (lines <= linesMax) return [];
  const what = `the ${files.size} files that import electron hold ${lines} lines in all; the cap is ${linesMax}`;
  return [{ rule: 'main-stays-small', file: 'main/', what, instead: 'What can be decided without Electron belongs in main/desktop/.' }];
}

function tooManyFiles({ imports }: Tree, rule: string, max: number, names: (specifier: string, taken: string[]) => boolean): Finding[] {
  const files = [...new Set(imports.filter((one) => isMain(one.from) && names(one.specifier, one.names)).map((one) => one.from))];
  if (files.length <= max) return [];
  const what = `${files.length} files (${files.join(', ')}); the cap is ${max}`;
  return [{ rule, file: 'main/', what, instead: 'Hand over what the one file offers, under a name of its own.' }];
}

export const thinMain = (tree: Tree): Finding[] => [
  ...tooLong(tree),
  ...tooManyFiles(tree, 'electron-in-few-files', electronFilesMax, isElectron),
  ...tooManyFiles(tree, 'ipc-main-in-one-file', 1, (_, taken) => taken.includes('ipcMain')),
  ...tooManyFiles(tree, 'ipc-renderer-in-one-file', 1, (_, taken) => taken.includes('ipcRenderer')),
];
