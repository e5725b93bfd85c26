/**
 * Required before whatever runs our sources as they are: gateways, their threads (server/platform/thread.ts), tests. A bundle needs none of it.
 */
'use strict';

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { enableCompileCache, registerHooks } = require('node:module');

/**
 * What Node makes of a source, types taken out and compiled, is kept. Else every thread loads the compiler of types, a sixth of a
 * gateway's memory; and that is WebAssembly, which V8 may fall over when threads come and go (docs/gotchas.md, Node 24.21).
 */
enableCompileCache(join(__dirname, '../.cache/compiled'));

/** Node parses drizzle's package.json, 180 kB, for each of its 111 modules: 0.3 s in every thread. Its modules are side by side. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.includes('/node_modules/drizzle-orm/')) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
  },
});

/** Threads of tests load one bundle (scripts/thread-bundle.ts): they start by the hundred, and most of a start is loading modules. */
const { GLASSHOUSE_THREAD_BUNDLE: threadBundle } = process.env;
if (threadBundle !== undefined) {
  const entry = pathToFileURL(join(__dirname, '../server/entry/thread.ts')).href;
  const url = pathToFileURL(threadBundle).href;
  registerHooks({
    resolve(specifier, context, next) {
      // Fixtures that import the entry, to change a module of ours first, get the sources.
      if (specifier !== entry || context.parentURL !== undefined) return next(specifier, context);
      return { url, format: 'module', shortCircuit: true };
    },
  });
}
