/** Our own rules: those that a linter cannot say. One run over one reading of the tree. */
import { join } from 'node:path';
import { noCycles } from './cycles.ts';
import { fileNames } from './file-names.ts';
import { asText } from './finding.ts';
import { layersAreListed, layersInOrder } from './layers.ts';
import { manifest } from './manifest.ts';
import { oneWayRules } from './one-way.ts';
import { thinMain } from './thin-main.ts';
import { readTree } from './tree.ts';

const tree = readTree(join(import.meta.dirname, '..'));
const found = [oneWayRules, layersInOrder, layersAreListed, noCycles, thinMain, fileNames, manifest].flatMap((rule) => rule(tree));

for (const one of found) process.stdout.write(`${asText(one)}\n`);
process.stdout.write(`${tree.files.length} files, ${tree.imports.length} imports, ${found.length} breaches\n`);
process.exitCode = found.length > 0 || tree.imports.length === 0 ? 1 : 0;
