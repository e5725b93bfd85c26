/**
 * `node --import ./e2e/electron/boot.mjs out/main/index.js`: the built main process under plain Node. A parent that forked it
 * drives it as Playwright drives the real one, by sending functions: `{ id, source }`, answered `{ id, value }` or `{ id, error }`.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./stand-in.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
});

const electron = await import(standIn);

// The real one takes these for a request to quit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => electron.app.quit());

process.on('message', async ({ id, source, given }) => {
  try {
    // The source is a function of our own test, on its way from one process to another.
    const value = await new Function('electron', 'given', `return (${source})(electron, given)`)(electron, given);
    process.send({ id, value });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});
