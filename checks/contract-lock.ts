/**
 * The API description is checked in, so that every change of the contract is a visible diff. Fails when it is out of date.
 * `--write` updates docs/openapi.json.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const generator = join(root, 'server/app/openapi.ts');
const locked = join(root, 'docs/openapi.json');

interface Generator {
  describeApi(): unknown;
}

const { describeApi } = (await import(pathToFileURL(generator).href)) as Generator;
const described = `${JSON.stringify(await describeApi(), null, 2)}\n`;
const current = existsSync(locked) ? readFileSync(locked, 'utf8') : '';

function firstDifference(): string {
  const [lockedLines, lines] = [current.split('\n'), described.split('\n')];
  const line = lines.findIndex((text, index) => text !== lockedLines[index]);
  return `    line ${line + 1} is   ${lockedLines[line] ?? '(missing)'}\n    should be ${lines[line] ?? '(nothing)'}`;
}

if (process.argv.includes('--write')) {
  writeFileSync(locked, described);
} else if (current !== described) {
  process.stdout.write(`contract-lock: docs/openapi.json\n${firstDifference()}\n    Instead: run npm run openapi and review the diff.\n`);
  process.exitCode = 1;
}
