/** A gateway never runs an outdated or damaged bundle of the server. In a small tree of its own, with the real scripts and the real bundler. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const scripts = ['from-bundle.cjs', 'from-sources.cjs', 'server-bundle.cjs', 'bundle-stacks.cjs', 'ensure-server.ts', 'bundle.ts'];
let tree: string;

/** The program prints a word, then what a thread of it prints; `--fail` prints a stack instead. */
const program = (word: string) => `import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { extname } from 'node:path';
import { word } from './word.ts';
function fail(): string { return new Error(word).stack ?? ''; }
const own = process.execArgv.filter((flag) => flag.startsWith('--require='));
if (process.argv.includes('--fail')) console.log(fail());
else new Worker(new URL('./thread' + extname(import.meta.filename), import.meta.url), { execArgv: own })
  .on('message', (text) => console.log('${word}', word, text, extname(import.meta.filename), typeof createRequire));
`;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'glasshouse-bundle-'));
  for (const folder of ['scripts', 'server/entry']) mkdirSync(join(tree, folder), { recursive: true });
  for (const script of scripts) cpSync(join(root, 'scripts', script), join(tree, 'scripts', script));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('server/entry/gateway.ts', program('gateway'));
  write('server/entry/cloud-gateway.ts', program('cloud'));
  write('server/entry/word.ts', "export const word: string = 'first';\n");
  write(
    'server/entry/thread.ts',
    "import { parentPort } from 'node:worker_threads';\nimport { word } from './word.ts';\nparentPort?.postMessage('thread ' + word);\n",
  );
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function write(file: string, text: string): void {
  writeFileSync(join(tree, file), text);
}

function run(...args: string[]): { stdout: string; stderr: string } {
  const require = `--require=${join(tree, 'scripts/from-bundle.cjs')}`;
  const { GLASSHOUSE_THREAD_BUNDLE: _, NODE_OPTIONS: __, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [require, join(tree, 'server/entry/gateway.ts'), ...args], {
    encoding: 'utf8',
    env,
  });
  return { stdout: stdout.trim(), stderr };
}

const bundles = () => readdirSync(join(tree, '.cache')).filter((name) => name.startsWith('server-'));
const chunkWith = (text: string): string => {
  const [bundle = ''] = bundles();
  const folder = join(tree, '.cache', bundle);
  const file = readdirSync(folder).find((name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(text));
  return join(folder, file ?? '');
};

it('the first start builds the bundle, the second runs it, threads and all', () => {
  const first = run();
  expect(first.stdout).toBe('gateway first thread first .js function');
  expect(first.stderr).toContain('Built the server in');
  expect(run()).toEqual({ stdout: 'gateway first thread first .js function', stderr: '' });
  expect(bundles()).toHaveLength(1);
});

it('a changed source is what runs, even with its old size and a time in the past', () => {
  run();
  write('server/entry/word.ts', "export const word: string = 'other';\n");
  utimesSync(join(tree, 'server/entry/word.ts'), 1_000_000, 1_000_000);
  const { stdout, stderr } = run();
  expect(stdout).toBe('gateway other thread other .js function');
  expect(stderr).toContain('Built the server in');
});

it('another package tree, bundler or Node makes a new bundle', () => {
  run();
  write('package-lock.json', '{ }');
  expect(run().stderr).toContain('Built the server in');
  const manifest = join(tree, '.cache/server.json');
  write('.cache/server.json', readFileSync(manifest, 'utf8').replace(`"${process.version}"`, '"v22.18.0"'));
  expect(run().stderr).toContain('Built the server in');
});

it('a damaged bundle or manifest does not run', () => {
  run();
  const chunk = chunkWith('first');
  truncateSync(chunk, statSync(chunk).size - 1);
  expect(run()).toMatchObject({ stdout: 'gateway first thread first .js function', stderr: expect.stringContaining('Built') });
  write('.cache/server.json', '{ "node":');
  expect(run()).toMatchObject({ stdout: 'gateway first thread first .js function', stderr: expect.stringContaining('Built') });
});

it('a damaged code cache is ignored', () => {
  run();
  run();
  const compiled = join(tree, '.cache', bundles()[0] ?? '', 'compiled');
  const files = readdirSync(compiled, { recursive: true, encoding: 'utf8' }).map((name) => join(compiled, name));
  const caches = files.filter((file) => statSync(file).isFile());
  expect(caches.length).toBeGreaterThan(0);
  for (const file of caches) writeFileSync(file, readFileSync(file).fill(7, 40));
  expect(run()).toEqual({ stdout: 'gateway first thread first .js function', stderr: '' });
});

it('a bundle that cannot be built is no obstacle: the sources run', () => {
  write('scripts/bundle.ts', "throw new Error('there is no bundler');\n");
  const { stdout, stderr } = run();
  expect(stdout).toBe('gateway first thread first .ts function');
  expect(stderr).toContain('The server could not be built: running its sources.');
});

it('stacks of the bundle show positions of the sources', () => {
  run();
  const { stdout } = run('--fail');
  expect(stdout).toContain(`at fail (${join(tree, 'server/entry/gateway.ts')}:5:`);
});

it('a build removes the bundles that no process runs', () => {
  for (const name of ['server-1-1', 'server-2-2']) mkdirSync(join(tree, '.cache', name), { recursive: true });
  write(`.cache/server-2-2/used-${process.pid}`, '');
  run();
  expect(bundles()).toHaveLength(2);
  expect(bundles()).toContain('server-2-2');
});
