import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What the API document says of fields and routes is for its readers; a browser that loads the contract has no use for it. */
const withoutDescriptions: Plugin = {
  name: 'contract-without-descriptions',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/shared/contract/')
      ? { code: code.replaceAll(/\b(description|summary): *(?:'(?:[^'\\]|\\.)*'|`[^`]*`)/g, "$1: ''"), map: null }
      : null,
};

/** 6 % smaller than 9 for half a second more; 11 is 2 % smaller and takes twice as long. */
const brotliQuality = 10;

/** Writes a brotli and a gzip copy beside each text asset of 1 kB or more, for server/app/viewer-files.ts. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const file of Object.values(bundle)) {
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      if (bytes.length < 1024 || !/\.(js|css|html|svg)$/.test(file.fileName)) continue;
      writeFileSync(
        join(dir, `${file.fileName}.br`),
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
      );
      writeFileSync(join(dir, `${file.fileName}.gz`), gzipSync(bytes));
    }
  },
};

/**
 * The viewer for a plain browser, served by the gateway at `/`. Its policy is `script-src 'self'; style-src 'self'; img-src 'self' blob:`,
 * so nothing may be inlined: no data: assets, no preload polyfill.
 */
export default defineConfig({
  root: `${import.meta.dirname}/renderer`,
  base: './',
  plugins: [withoutDescriptions, react(), tailwindcss(), compressed],
  server: { proxy: { '/v1': { target: process.env.GLASSHOUSE_GATEWAY ?? 'http://localhost:9418', changeOrigin: true } } },
  build: {
    outDir: `${import.meta.dirname}/out/renderer`,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // light-dark() must reach the browser as it is written: these are the first engines that know it.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // One chunk for each part of the app. A group also takes the imports that no group of higher priority has.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 5 },
            { name: 'trace', test: /renderer\/features\/trace\//, priority: 4 },
            { name: 'filter-editor', test: /filter-editor\.tsx$/, priority: 3 },
            { name: 'markdown', test: /renderer\/ui\/.*(markdown|word-diff-view)\.tsx$/, priority: 2 },
            { name: 'screens', test: /renderer\/(app|features)\//, priority: 1 },
          ],
        },
      },
    },
  },
});
