/**
 * The description of the API is checked in, so that every change of the contract is a visible diff.
 * `--write` brings docs/openapi.json up to date.
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
  const [was, is] = [current.split('\n'), described.split('\n')];
  const line = is.findIndex((text, at) => text !== was[at]);
  return `    line ${line + 1} is   ${was[line] ?? '(missing)'}\n    should be ${is[line] ?? '(nothing)'}`;
}

if (process.argv.includes('--write')) {
  writeFileSync(locked, described);
} else if (current !== described) {
  process.stdout.write(`contract-lock: docs/openapi.json\n${firstDifference()}\n    Instead: npm run openapi, and look at the diff.\n`);
  process.exitCode = 1;
}
