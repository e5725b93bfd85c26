/**
 * Preloaded by processes that run our sources directly: gateways, their threads (server/platform/thread.ts), tests. A bundle does not need it.
 */
'use strict';

const { basename, dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { enableCompileCache, registerHooks } = require('node:module');

/**
 * Caches the compiled sources. Otherwise every thread loads the type stripper, a sixth of a gateway's memory; and that is
 * WebAssembly, on which V8 may crash when threads start and stop (docs/gotchas.md, Node 24.21).
 */
enableCompileCache(join(__dirname, '../.cache/compiled'));

/** Node parses drizzle's package.json, 180 kB, for each of its 111 modules: 0.3 s in every thread. So its relative imports are resolved here. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.includes('/node_modules/drizzle-orm/')) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
  },
});

/**
 * Threads, gateways and commands of tests load one bundle (scripts/thread-bundle.ts): tests start hundreds of them, and loading modules takes
 * most of a start.
 */
const { GLASSHOUSE_THREAD_BUNDLE: threadBundle } = process.env;
if (threadBundle !== undefined) {
  const bundled = new Map();
  for (const program of require('./test-programs.json')) {
    const file = join(dirname(threadBundle), `${basename(program)}.mjs`);
    bundled.set(pathToFileURL(join(__dirname, '..', `${program}.ts`)).href, pathToFileURL(file).href);
  }
  const command = pathToFileURL(join(__dirname, 'glasshouse.cjs')).href;
  // Fixtures that import an entry after they have patched a module get the sources.
  const started = (specifier, parent) =>
    parent === undefined ? specifier : parent === command ? new URL(specifier, parent).href : undefined;
  registerHooks({
    resolve(specifier, context, next) {
      const url = bundled.get(started(specifier, context.parentURL));
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
    },
  });
}
