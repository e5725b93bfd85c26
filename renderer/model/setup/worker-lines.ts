import { keyPlace } from './setup-lines.ts';

/** The lines that start a worker for the gateway of this page. */
export const workerLines = (origin: string): string =>
  [`export GLASSHOUSE_URL=${origin}`, `export GLASSHOUSE_API_KEY=${keyPlace}`, 'glasshouse worker --handler ./handler.mjs'].join('\n');

/** The example at the beginning of docs/worker.md. */
export const handlerLines = `// handler.mjs
export async function runPrompt({ input, prompt, signal }) {
  return { result: await answer(input, { signal }), model: 'gpt-4o' };
}

export const evals = {
  exact: ({ output, expected_output }) => output === expected_output,
};`;
