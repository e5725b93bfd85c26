/**
 * Bundles the `glasshouse` command into out/command, so that it runs beside a packed app: any Node of the user's, none of our sources.
 * The SQLite driver is native and stays a package; electron-builder puts it beside (electron-builder.yml).
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'out/command');

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node22',
    rolldownOptions: {
      input: { glasshouse: join(root, 'server/cli/glasshouse.ts') },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
copyFileSync(join(root, 'scripts/packed-command.cjs'), join(outDir, 'glasshouse.cjs'));
