/**
 * Global setup of both test runners: bundles the gateway's threads, and the gateways and commands that tests start as processes (test-programs.json), and
 * passes the path to scripts/from-sources.cjs in an environment variable. They then load one bundle instead of some hundred modules.
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundle } from './bundle.ts';
import programs from './test-programs.json' with { type: 'json' };

const variable = 'GLASSHOUSE_THREAD_BUNDLE';
const root = join(import.meta.dirname, '..');

/** Builds the bundle unless the parent process has. @returns the teardown, which removes the bundle */
export default async function bundleThreads(): Promise<() => Promise<void>> {
  if (process.env[variable] !== undefined) return async () => {};
  // Two levels below the root like server/entry, so that paths relative to import.meta.dirname work.
  const folder = join(root, `.cache/threads-${process.pid}`);
  const input = Object.fromEntries(programs.map((program) => [basename(program), join(root, `${program}.ts`)]));
  await bundle(root, { input, outDir: folder, extension: 'mjs' });
  process.env[variable] = join(folder, 'thread.mjs');
  return async () => {
    delete process.env[variable];
    await rm(folder, { recursive: true, force: true });
  };
}
