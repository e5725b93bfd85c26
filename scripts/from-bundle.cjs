/**
 * Preloaded by gateways and their threads: runs the bundle of the server (scripts/server-bundle.cjs) in place of an entry of the sources, and
 * makes it when there is none or its sources have changed. When it cannot be made, the sources run. docs/adr/042.
 */
'use strict';

const { spawnSync } = require('node:child_process');
const { enableCompileCache, registerHooks } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');
const { showSources } = require('./bundle-stacks.cjs');
const { bundleFolder, currentBundle, entries, markUse } = require('./server-bundle.cjs');

const root = join(__dirname, '..');

/** Builds in a process of its own, because a bundler would stay in memory. @returns the folder of the bundle, null when it cannot be made */
function build() {
  process.stderr.write('Building the server...\n');
  const startedMs = performance.now();
  spawnSync(process.execPath, [join(__dirname, 'ensure-server.ts')], { cwd: root, stdio: ['ignore', 2, 2] });
  const built = currentBundle(root);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stderr.write(built ? `Built the server in ${seconds} s.\n` : 'The server could not be built: running its sources.\n');
  return built;
}

function use(bundle) {
  enableCompileCache(join(bundle, 'compiled'));
  showSources(bundle);
}

/** Threads run what their process runs, which is where their entry is: the sources may have changed since it started. */
let folder = isMainThread ? currentBundle(root) : bundleFolder(dirname(process.argv[1] ?? ''));
if (folder === null) require('./from-sources.cjs');
else use(folder);

if (isMainThread) {
  const names = new Map(entries.map((name) => [pathToFileURL(join(root, `server/entry/${name}.ts`)).href, name]));
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const name = names.get(resolved.url);
      if (name === undefined) return resolved;
      folder ??= build();
      if (folder === null) return resolved;
      use(folder);
      markUse(folder);
      return { url: pathToFileURL(join(folder, `${name}.js`)).href, format: 'module', shortCircuit: true };
    },
  });
}
