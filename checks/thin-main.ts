/**
 * Code that imports electron cannot be tested without it, so it must stay too small to contain decisions (ADR 009). The desktop's logic is in
 * main/desktop/, where the one-way rules forbid electron.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const linesMax = 600;
const electronFilesMax = 10;

const isMain = (file: string) => file.startsWith('main/') && !file.includes('.test.');
/** Type imports count too: an API creeps in through them. */
const isElectron = (specifier: string) => specifier === 'electron' || specifier.startsWith('electron/');
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').length;

function tooLong({ root, imports }: Tree): Finding[] {
  const files = new Set(imports.filter((entry) => isMain(entry.from) && isElectron(entry.specifier)).map((entry) => entry.from));
  const lines = [...files].reduce((sum, file) => sum + linesOf(join(root, file)), 0);
  if (lines <= linesMax) return [];
  const what = `the ${files.size} files that import electron have ${lines} lines in all; the cap is ${linesMax}`;
  return [{ rule: 'main-stays-small', file: 'main/', what, instead: 'What can be decided without Electron belongs in main/desktop/.' }];
}

function tooManyFiles({ imports }: Tree, rule: string, max: number, names: (specifier: string, imported: string[]) => boolean): Finding[] {
  const files = [
    ...new Set(imports.filter((entry) => isMain(entry.from) && names(entry.specifier, entry.names)).map((entry) => entry.from)),
  ];
  if (files.length <= max) return [];
  const what = `${files.length} files (${files.join(', ')}); the cap is ${max}`;
  return [{ rule, file: 'main/', what, instead: 'Use what the existing files offer, passed in under a name of its own.' }];
}

export const thinMain = (tree: Tree): Finding[] => [
  ...tooLong(tree),
  ...tooManyFiles(tree, 'electron-in-few-files', electronFilesMax, isElectron),
  ...tooManyFiles(tree, 'ipc-main-in-one-file', 1, (_, imported) => imported.includes('ipcMain')),
  ...tooManyFiles(tree, 'ipc-renderer-in-one-file', 1, (_, imported) => imported.includes('ipcRenderer')),
];
