/** main/ is the part that cannot be tested without Electron, so it is kept too small to hold a decision (house 3.7, 3.9). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const linesMax = 600;
const electronFilesMax = 5;

const isMain = (file: string) => file.startsWith('main/') && !file.includes('.test.');
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').length;

function tooLong({ root, files }: Tree): Finding[] {
  const lines = files.filter(isMain).reduce((sum, file) => sum + linesOf(join(root, file)), 0);
  if (lines <= linesMax) return [];
  const what = `holds ${lines} lines in all; the cap is ${linesMax}`;
  return [
    { rule: 'main-stays-small', file: 'main/', what, instead: 'What needs no Electron belongs in server/entry, scripts/ or the viewer.' },
  ];
}

function tooManyFiles({ imports }: Tree, rule: string, max: number, names: (specifier: string, taken: string[]) => boolean): Finding[] {
  const files = [...new Set(imports.filter((one) => isMain(one.from) && names(one.specifier, one.names)).map((one) => one.from))];
  if (files.length <= max) return [];
  const what = `${files.length} files (${files.join(', ')}); the cap is ${max}`;
  return [{ rule, file: 'main/', what, instead: 'Hand over what the one file offers, under a name of its own.' }];
}

export const thinMain = (tree: Tree): Finding[] => [
  ...tooLong(tree),
  ...tooManyFiles(tree, 'electron-in-few-files', electronFilesMax, (specifier) => specifier === 'electron'),
  ...tooManyFiles(tree, 'ipc-main-in-one-file', 1, (_, taken) => taken.includes('ipcMain')),
  ...tooManyFiles(tree, 'ipc-renderer-in-one-file', 1, (_, taken) => taken.includes('ipcRenderer')),
];
