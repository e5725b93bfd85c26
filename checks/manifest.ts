/**
 * Rules so that `npm ci` installs the same tree everywhere: exact versions, and a lock file without download URLs, because ours point to
 * one machine's registry. And npm scripts must work in the shell of every system.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const groups = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
type Manifest = Partial<Record<(typeof groups)[number] | 'scripts', Record<string, string>>>;

const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
/** `NAME=value` in front of a command. */
const setsVariable = /(?:^|&& *)\w+=/;

export function manifest({ root }: Tree): Finding[] {
  const contents = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const findings: Finding[] = groups
    .flatMap((group) => Object.entries(contents[group] ?? {}))
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => ({
      rule: 'versions-are-exact',
      file: 'package.json',
      what: `${name} is '${version}'`,
      instead: 'Pin it (npm install --save-exact), then check that `npm ci --dry-run` prints no `Missing:`.',
    }));
  for (const [name, command] of Object.entries(contents.scripts ?? {})) {
    if (!setsVariable.test(command)) continue;
    findings.push({
      rule: 'scripts-run-anywhere',
      file: 'package.json',
      what: `${name} sets a variable in POSIX shell syntax, which cmd.exe takes for a command`,
      instead: 'Set it in what the script runs, as scripts/lean-malloc.cjs does.',
    });
  }
  const lock = join(root, 'package-lock.json');
  if (existsSync(lock) && /"resolved": "https?:/.test(readFileSync(lock, 'utf8')))
    findings.push({
      rule: 'lock-has-no-urls',
      file: 'package-lock.json',
      what: 'contains "resolved" URLs',
      instead: '`npm install --package-lock-only --omit-lockfile-registry-resolved`.',
    });
  return findings;
}
