/** Input of a model call that differs from that of the previous call. Messages are compared in order and by content. */
import type { Message, Part } from './messages.ts';

export interface Edit {
  role: string;
  before: string;
  after: string;
}

export interface Changes {
  /** Number of equal messages at the beginning, the part that a provider's cache can reuse. */
  same: number;
  /** In a place of the same role, but saying something else. */
  edited: Edit[];
  added: Message[];
  removed: Message[];
}

/** A part as the text it is compared by. */
function said(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `${part.name}(${JSON.stringify(part.args)})`;
    case 'tool-result':
      return typeof part.result === 'string' ? part.result : JSON.stringify(part.result, null, 2);
    case 'media':
      return `[${part.modality} ${part.sha256 || part.url || part.base64}]`;
    case 'omitted':
      return `[${part.count} left out]`;
    case 'data':
      return JSON.stringify(part.value, null, 2);
  }
}

export const saidIn = (message: Message) => message.parts.map(said).join('\n\n');

const isEqual = (a: Message, b: Message) => a.role === b.role && saidIn(a) === saidIn(b);
const isPrompt = ({ role }: Message) => role === 'system' || role === 'developer';

/** Pairs prompts in the changed middle; all others are removed or new. */
export function whatChanged(before: readonly Message[], after: readonly Message[]): Changes {
  const shorter = Math.min(before.length, after.length);
  const old = [...before];
  const now = [...after];
  const edited: Edit[] = [];
  let same = 0;
  let isPrefix = true;
  let at = 0;
  for (; at < shorter; at++) {
    const [was, is] = [old[at] as Message, now[at] as Message];
    if (isEqual(was, is)) {
      if (isPrefix) same++;
    } else if (isPrompt(was) && was.role === is.role) {
      isPrefix = false;
      edited.push({ role: is.role, before: saidIn(was), after: saidIn(is) });
    } else break;
  }
  const [restOld, restNow] = [old.slice(at), now.slice(at)];
  // A truncated history continues with the common part, so messages are found at any position.
  const known = new Map<string, number>();
  const key = (message: Message) => `${message.role}\n${saidIn(message)}`;
  for (const message of restOld) known.set(key(message), (known.get(key(message)) ?? 0) + 1);
  const added = restNow.filter((message) => {
    const left = known.get(key(message)) ?? 0;
    if (left > 0) known.set(key(message), left - 1);
    return left === 0;
  });
  const removed = restOld.toReversed().filter((message) => {
    const left = known.get(key(message)) ?? 0;
    if (left > 0) known.set(key(message), left - 1);
    return left > 0;
  });
  return { same, edited, added, removed: removed.toReversed() };
}
