/** Bundles server programs for the user's own Node. The SQLite driver is native and stays a package. */
import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import { build, type Plugin } from 'vite';

/**
 * Node's own modules as CommonJS. Importing one reads all its exports, whatever is used of it: `node:http` then loads undici, `node:crypto`
 * WebCrypto, in every thread.
 */
const leanBuiltins: Plugin = {
  name: 'lean-builtins',
  enforce: 'pre',
  resolveId: (id, importer) => (isBuiltin(id) && !importer?.startsWith('\0rolldown') ? `\0builtin:${id}` : null),
  load: (id) => (id.startsWith('\0builtin:') ? `module.exports = process.getBuiltinModule('${id.slice('\0builtin:'.length)}');` : null),
};

const notingModules = (onModule: (file: string) => void): Plugin => ({
  name: 'noting-modules',
  enforce: 'pre',
  load: (id) => {
    // Modules that the bundler makes up have no path.
    if (isAbsolute(id)) onModule(id.replace(/\?.*$/, ''));
    return null;
  },
});

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
    plugins: [leanBuiltins, ...(onModule ? [notingModules(onModule)] : [])],
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node22',
      sourcemap,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
          codeSplitting: { groups: [{ name: 'builtins', test: /builtin:/ }] },
        },
      },
    },
  });
}
