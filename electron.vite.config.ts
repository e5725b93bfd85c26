import { join } from 'node:path';
import { defineConfig } from 'electron-vite';
import { mergeConfig } from 'vite';
import viewer from './vite.config.ts';

const root = import.meta.dirname;

/** `--mode shell` leaves the viewer out: scripts/ensure-viewer.ts has built it, and a running gateway may be serving it. */
export default defineConfig(({ mode }) => {
  const shell = {
    main: {
      build: {
        rolldownOptions: {
          // The gateway's threads begin in a file of their own; main/index.ts names it beside itself.
          input: { index: join(root, 'main/index.ts'), worker: join(root, 'server/entry/worker.ts') },
          // All in one folder, two below the root like server/entry: paths that start at import.meta.dirname hold in both.
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    preload: {
      build: {
        rolldownOptions: {
          input: { preload: join(root, 'main/preload.ts') },
          // A sandboxed preload cannot be an ES module.
          output: { format: 'cjs' as const, entryFileNames: '[name].cjs' },
        },
      },
    },
  };
  if (mode === 'shell') return shell;
  const page = { build: { minify: true, rolldownOptions: { input: join(root, 'renderer/index.html') } } };
  return { ...shell, renderer: mergeConfig(viewer, page) };
});
