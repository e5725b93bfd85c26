/**
 * `node --import ./e2e/electron/boot.mjs out/main/index.js`: runs the built main process under plain Node. The parent process that forked it
 * controls it as Playwright controls Electron, by sending functions: `{ id, source }`, answered with `{ id, value }` or `{ id, error }`.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./stand-in.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
});

const electron = await import(standIn);

// Electron treats these signals as a request to quit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => electron.app.quit());

process.on('message', async ({ id, source, given }) => {
  try {
    // The source is a function of our own test, sent from another process.
    const value = await new Function('electron', 'given', `return (${source})(electron, given)`)(electron, given);
    process.send({ id, value });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});
