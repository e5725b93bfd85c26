import type { Hosting } from './hosting.ts';

/** Where no code of apps is run: their files are served, and that is all. */
export const noHosting: Hosting = {
  provision: async () => null,
  remove: async () => {},
  deploy: async () => ({ code_status: 'skipped', code_failure_reason: null }),
  status: () => 'empty',
  keepOnly: async () => {},
  stop: async () => {},
};
