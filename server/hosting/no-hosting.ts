import type { Hosting } from './hosting.ts';

/** Hosting without code: only files are served. */
export const noHosting: Hosting = {
  provision: async () => null,
  remove: async () => {},
  deploy: async () => ({ code_status: 'skipped', code_failure_reason: null }),
  status: () => 'empty',
  keepOnly: async () => {},
  stop: async () => {},
};
