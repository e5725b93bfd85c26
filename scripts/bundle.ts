/** Bundles server programs for the user's own Node. The SQLite driver is native and stays a package. */
import { isAbsolute } from 'node:path';
import { build } from 'vite';

export interface Bundling {
  /** Programs by name, as absolute paths. */
  input: Record<string, string>;
  outDir: string;
  /** Extension of the bundled files. */
  extension: 'js' | 'mjs';
  /** Called with the path of each module before it is read. */
  onModule?: (file: string) => void;
  /** `hidden`: written beside the files, which do not name them. */
  sourcemap?: 'hidden' | false;
}

export async function bundle(root: string, { input, outDir, extension, onModule, sourcemap = false }: Bundling): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // Modules that are made up by the bundler have no path.
    plugins: onModule ? [{ name: 'note-modules', load: (id) => void (isAbsolute(id) && onModule(id.replace(/\?.*$/, ''))) }] : [],
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node22',
      sourcemap,
      rolldownOptions: { input, output: { entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}` } },
    },
  });
}
