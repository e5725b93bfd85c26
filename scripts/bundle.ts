/** Bundles server programs for the user's own Node. The SQLite driver is native and stays a package. */
import { build } from 'vite';

/**
 * @param input the programs by name, as absolute paths
 * @param extension of the bundled files
 */
export async function bundle(root: string, outDir: string, input: Record<string, string>, extension: 'js' | 'mjs'): Promise<void> {
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
      rolldownOptions: { input, output: { entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}` } },
    },
  });
}
