import type { Role } from '../normalised.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['chatbot', 'assistant'],
  ['bot', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['ipython', 'tool'],
]);

/** Our role for a sender's role: Gemini sends `model`, LangChain `human`, Cohere capitals. */
export function roleNamed(name: unknown): Role | undefined {
  if (typeof name !== 'string') return undefined;
  return ROLES.get(name) ?? ROLES.get(name.toLowerCase());
}
