import { join } from 'node:path';
import { defineConfig } from 'electron-vite';
import { mergeConfig, type Plugin } from 'vite';
import viewer from './vite.config.ts';

const root = import.meta.dirname;

/** The page is also served to plain browsers: electron-vite adds its own Chromium to the list of targets, which Vite refuses. */
const forEveryBrowser: Plugin = {
  name: 'for-every-browser',
  config: (config) => {
    config.build = { ...config.build, ...(viewer.build?.target ? { target: viewer.build.target } : {}) };
  },
};

/** `--mode shell` leaves the viewer out: scripts/ensure-viewer.ts has built it, and a running gateway may be serving it. */
export default defineConfig(({ mode }) => {
  const shell = {
    main: {
      build: {
        // By default every package in `dependencies` would stay outside: these are what electron-builder.yml packs.
        externalizeDeps: false,
        rolldownOptions: {
          external: ['better-sqlite3', 'electron-updater'],
          // The gateway's threads begin in a file of their own; main/index.ts names it beside itself.
          input: { index: join(root, 'main/index.ts'), thread: join(root, 'server/entry/thread.ts') },
          // All in one folder, two below the root like server/entry: paths that start at import.meta.dirname hold in both.
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    preload: {
      build: {
        externalizeDeps: false,
        rolldownOptions: {
          input: { preload: join(root, 'main/preload.ts') },
          // A sandboxed preload cannot be an ES module.
          output: { format: 'cjs' as const, entryFileNames: '[name].cjs' },
        },
      },
    },
  };
  if (mode === 'shell') return shell;
  const page = {
    build: { minify: true, rolldownOptions: { input: join(root, 'renderer/index.html') } },
    plugins: [forEveryBrowser],
  };
  return { ...shell, renderer: mergeConfig(viewer, page) };
});
