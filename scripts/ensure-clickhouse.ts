/**
 * Installs the ClickHouse of the tests (deploy/cluster) when it is missing or its lock file has changed. On a system for which there is none,
 * the tests say so themselves: they fail without GLASSHOUSE_CLICKHOUSE_URL.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './distribution-package.ts';

interface Lock {
  packages: Record<string, { version: string }>;
}

const root = join(import.meta.dirname, '..');
const cluster = join(root, 'deploy/cluster');
const print = (line: string) => process.stderr.write(`${line}\n`);
const engine = `node_modules/@chdb/lib-${process.platform}-${process.arch}-gnu`;

const packagesOf = (lock: string) => (JSON.parse(readFileSync(join(cluster, lock), 'utf8')) as Lock).packages;
const locked = packagesOf('package-lock.json');

/** npm writes the second lock file when everything in it is there. */
function isInstalled(): boolean {
  if (!existsSync(join(cluster, engine, 'libchdb.so')) || !existsSync(join(cluster, 'node_modules/.package-lock.json'))) return false;
  return Object.entries(packagesOf('node_modules/.package-lock.json')).every(([name, { version }]) => locked[name]?.version === version);
}

if (locked[engine] === undefined) {
  print(`There is no ClickHouse for ${process.platform} on ${process.arch} in deploy/cluster: tests need GLASSHOUSE_CLICKHOUSE_URL.`);
} else if (!isInstalled()) {
  print('The tests of the cluster need ClickHouse, which is not installed: installing it (544 MB).');
  if (!runCommand('npm', ['run', '--silent', 'cluster:install'], root) || !isInstalled()) {
    print('ClickHouse could not be installed: see the output of npm above, and run `npm run cluster:install` again.');
    process.exit(1);
  }
}
