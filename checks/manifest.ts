/**
 * What `npm ci` needs to give everybody the same tree: exact versions, and a lock file without download addresses, because
 * ours are the addresses of one machine's registry. And scripts that every system's shell understands.
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
  const read = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const found: Finding[] = groups
    .flatMap((group) => Object.entries(read[group] ?? {}))
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => ({
      rule: 'versions-are-exact',
      file: 'package.json',
      what: `${name} is '${version}'`,
      instead: 'Pin it (npm install --save-exact), then see that `npm ci --dry-run` prints no `Missing:`.',
    }));
  for (const [name, command] of Object.entries(read.scripts ?? {})) {
    if (!setsVariable.test(command)) continue;
    found.push({
      rule: 'scripts-run-anywhere',
      file: 'package.json',
      what: `${name} sets a variable in the way of a POSIX shell, which cmd.exe takes for a command`,
      instead: 'Set it in what the script runs, as scripts/lean-malloc.cjs does.',
    });
  }
  const lock = join(root, 'package-lock.json');
  if (existsSync(lock) && /"resolved": "https?:/.test(readFileSync(lock, 'utf8')))
    found.push({
      rule: 'lock-names-no-host',
      file: 'package-lock.json',
      what: 'holds "resolved" addresses',
      instead: '`npm install --package-lock-only --omit-lockfile-registry-resolved`.',
    });
  return found;
}
