/** What the prompt of a model call consists of, and how it changes. Separate from the schemas, so that threads without zod can import it. */

/** `user` and `assistant` are messages of the conversation; of user messages each block is a part, of assistant turns the whole. */
export const partOrigins = ['tool_definitions', 'system', 'user', 'assistant', 'tool_result', 'document', 'media'] as const;

export type PartOrigin = (typeof partOrigins)[number];

/**
 * What happened where a prompt stops repeating the one before it. `model`: another model, with a cache of its own. `time`: a date or a
 * time. `number`: a number or an id. `tools`: tools were added or removed. `reordered`: the same parts or tools in another order. `shortened`: a part was cut or cleared in
 * place. `edited`: a part was rewritten in another way. `summarised`: parts gave way to a summary. `pruned`: parts were left out. `inserted`: a part
 * was put before others. `replaced`: nothing of the kind.
 */
export const promptChanges = [
  'model',
  'time',
  'number',
  'tools',
  'reordered',
  'shortened',
  'edited',
  'summarised',
  'pruned',
  'inserted',
  'replaced',
] as const;

export type PromptChange = (typeof promptChanges)[number];

/** `not_recorded`: the sender did not record the messages. `damaged`: they were stored and cannot be read any more. */
export const promptStates = ['recorded', 'not_recorded', 'damaged'] as const;

export type PromptState = (typeof promptStates)[number];
