/**
 * The set-up of both test runners: bundles the code of the gateway's threads, and tells scripts/from-sources.cjs of it by an environment
 * variable. Whatever a test starts, threads and gateways, then loads the bundle in place of some hundred modules.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const variable = 'GLASSHOUSE_THREAD_BUNDLE';
const root = join(import.meta.dirname, '..');

/** Bundles unless the process that started us has; what it returns takes the bundle away again. */
export default async function bundleThreads(): Promise<() => Promise<void>> {
  if (process.env[variable] !== undefined) return async () => {};
  // Two below the root like server/entry, so that paths from import.meta.dirname hold.
  const folder = join(root, `.cache/threads-${process.pid}`);
  await bundle(root, folder, { worker: join(root, 'server/entry/worker.ts') }, 'mjs');
  process.env[variable] = join(folder, 'worker.mjs');
  return async () => {
    delete process.env[variable];
    await rm(folder, { recursive: true, force: true });
  };
}
