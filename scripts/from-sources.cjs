/**
 * Required before whatever runs our sources as they are: gateways, their threads (server/platform/worker.ts), tests. A bundle needs none of it.
 */
'use strict';

const { join } = require('node:path');
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
