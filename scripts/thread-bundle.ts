/**
 * Global setup of both test runners: bundles the code of the gateway's threads, and passes the path to scripts/from-sources.cjs in an
 * environment variable. Threads in tests then load one bundle instead of some hundred modules.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const variable = 'GLASSHOUSE_THREAD_BUNDLE';
const root = join(import.meta.dirname, '..');

/** Builds the bundle unless the parent process has. @returns the teardown, which removes the bundle */
export default async function bundleThreads(): Promise<() => Promise<void>> {
  if (process.env[variable] !== undefined) return async () => {};
  // Two levels below the root like server/entry, so that paths relative to import.meta.dirname work.
  const folder = join(root, `.cache/threads-${process.pid}`);
  await bundle(root, { input: { thread: join(root, 'server/entry/thread.ts') }, outDir: folder, extension: 'mjs' });
  process.env[variable] = join(folder, 'thread.mjs');
  return async () => {
    delete process.env[variable];
    await rm(folder, { recursive: true, force: true });
  };
}
