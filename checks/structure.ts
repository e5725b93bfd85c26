/** Checks our own rules that a linter cannot express, all on one reading of the tree. */
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
const findings = [oneWayRules, layersInOrder, layersAreListed, noCycles, thinMain, fileNames, manifest].flatMap((rule) => rule(tree));

for (const finding of findings) process.stdout.write(`${asText(finding)}\n`);
process.stdout.write(`${tree.files.length} files, ${tree.imports.length} imports, ${findings.length} breaches\n`);
process.exitCode = findings.length > 0 || tree.imports.length === 0 ? 1 : 0;
