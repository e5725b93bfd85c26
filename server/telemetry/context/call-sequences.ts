/**
 * Which calls share a context window: those of an agent whose prompts continue each other. A title or a summary that the same agent has written by
 * another prompt is a sequence of its own, and so is each of several conversations at the same time.
 */
import type { ModelCall } from './model-call.ts';
import type { PromptTexts } from './prompt-texts.ts';
import type { TextComparer } from './similar-texts.ts';

/** Sequences of calls, each by time. @param calls by time */
export function callSequences(calls: readonly ModelCall[], texts: PromptTexts, comparer: TextComparer, check: () => void): ModelCall[][] {
  const conversations: Conversation[] = [];
  const byAgent = new Map<string, Conversation[]>();
  for (const call of calls) {
    if (call.state !== 'recorded') continue;
    check();
    const sameAgent = byAgent.get(call.agent) ?? [];
    byAgent.set(call.agent, sameAgent);
    const prompt = promptOf(call, texts);
    const found = bestOf(sameAgent, prompt, texts, comparer);
    if (found) found.add(prompt);
    else {
      const opened = new Conversation(prompt);
      sameAgent.push(opened);
      conversations.push(opened);
    }
  }
  return withUnrecorded(inSuccession(conversations, comparer), calls);
}

interface Prompt {
  call: ModelCall;
  /** Texts of the system prompt. */
  system: string;
  messages: Set<number>;
  bytes: number;
}

function promptOf(call: ModelCall, texts: PromptTexts): Prompt {
  const system: string[] = [];
  const messages = new Set<number>();
  let bytes = 0;
  for (const id of call.prompt) {
    const { origin, text, bytes: size, same } = texts.at(id);
    if (origin === 'system') system.push(text);
    if (origin === 'system' || origin === 'tool_definitions' || messages.has(same)) continue;
    messages.add(same);
    bytes += size;
  }
  return { call, system: system.join('\n'), messages, bytes };
}

/** Prompts that continue one another. */
class Conversation {
  readonly calls: ModelCall[] = [];
  last: Prompt;
  readonly #seen = new Set<number>();

  constructor(first: Prompt) {
    this.last = first;
    this.add(first);
  }

  add(prompt: Prompt): void {
    this.calls.push(prompt.call);
    this.last = prompt;
    for (const id of prompt.messages) this.#seen.add(id);
  }

  /** Bytes of messages that were in it before. */
  sharedBytes({ messages }: Prompt, texts: PromptTexts): number {
    let bytes = 0;
    for (const id of messages) if (this.#seen.has(id)) bytes += texts.at(id).bytes;
    return bytes;
  }
}

/** Conversations that a call is compared with: the last. */
const comparedMax = 16;

function bestOf(conversations: readonly Conversation[], prompt: Prompt, texts: PromptTexts, comparer: TextComparer): Conversation | null {
  let [best, most]: [Conversation | null, number] = [null, 0];
  for (const conversation of conversations.slice(-comparedMax).reverse()) {
    const shared = conversation.sharedBytes(prompt, texts);
    if (shared <= most || shared * 2 < Math.min(prompt.bytes, conversation.last.bytes)) continue;
    if (!isSameKind(conversation.last, prompt, comparer)) continue;
    [best, most] = [conversation, shared];
  }
  return best;
}

/** Of prompts that share messages: a summariser has them, too, but is told something else. */
function isSameKind(a: Prompt, b: Prompt, comparer: TextComparer): boolean {
  if (a.system === '' || b.system === '') return a.call.modelKey === b.call.modelKey || a.system === b.system;
  return comparer.areSimilar(a.system, b.system);
}

/** Short system prompts have many words in common. */
const sameSystemFrom = 0.75;

/** A conversation that began anew after another one of the same agent, model and system prompt is its next part: it was compacted. */
function inSuccession(conversations: readonly Conversation[], comparer: TextComparer): ModelCall[][] {
  const windows: Conversation[][] = [];
  const open = new Map<string, Conversation[][]>();
  for (const next of conversations) {
    const [first] = next.calls as [ModelCall];
    const key = keyOf(first);
    const sameKind = open.get(key) ?? [];
    open.set(key, sameKind);
    const found = sameKind.slice(-comparedMax).findLast((window) => {
      const { last, calls } = window.at(-1) as Conversation;
      return endOf(calls.at(-1) as ModelCall) <= first.startMs && comparer.areSimilar(last.system, systemOf(next), sameSystemFrom);
    });
    if (found) found.push(next);
    else {
      const window = [next];
      windows.push(window);
      sameKind.push(window);
    }
  }
  return windows.map((window) => window.flatMap(({ calls }) => calls));
}

const systemOf = ({ last }: Conversation): string => last.system;
const endOf = ({ startMs, durationMs }: ModelCall): number => startMs + durationMs;
const keyOf = ({ agent, agentId, modelKey }: ModelCall): string => JSON.stringify([agent, agentId, modelKey]);

/** Calls of which no prompt is known belong to the window of the same agent and model. */
function withUnrecorded(windows: readonly ModelCall[][], calls: readonly ModelCall[]): ModelCall[][] {
  const all = [...windows];
  const byKey = new Map<string, ModelCall[]>();
  for (const window of windows) for (const call of window) if (!byKey.has(keyOf(call))) byKey.set(keyOf(call), window);
  for (const call of calls) {
    if (call.state === 'recorded') continue;
    const window = byKey.get(keyOf(call)) ?? [];
    if (window.length === 0) all.push(window);
    byKey.set(keyOf(call), window);
    window.push(call);
  }
  const byTime = (a: ModelCall, b: ModelCall) => a.startMs - b.startMs;
  for (const window of all) window.sort(byTime);
  return all.sort(([a], [b]) => byTime(a as ModelCall, b as ModelCall));
}
