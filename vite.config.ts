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

/**
 * The viewer for a plain browser, served by the gateway at `/`. Its policy is `script-src 'self'; style-src 'self'; img-src 'self' blob:`,
 * so nothing may be inlined: no data: assets, no preload polyfill.
 */
export default defineConfig({
  root: `${import.meta.dirname}/renderer`,
  base: './',
  plugins: [withoutDescriptions, react(), tailwindcss()],
  server: { proxy: { '/v1': { target: process.env.GLASSHOUSE_GATEWAY ?? 'http://localhost:9418', changeOrigin: true } } },
  build: {
    outDir: `${import.meta.dirname}/out/renderer`,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // light-dark() must reach the browser as it is written: these are the first engines that know it.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
  },
});
