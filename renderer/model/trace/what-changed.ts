/** How the input of a model call differs from that of the previous call. Messages are compared in order and by content. */
import type { Message, Part } from './messages.ts';

export interface Edit {
  role: string;
  before: string;
  after: string;
}

export interface Changes {
  /** Number of equal messages at the beginning, the part that a provider's cache can reuse. */
  same: number;
  /** Prompts at the same position with another text. */
  edited: Edit[];
  added: Message[];
  removed: Message[];
}

/** The text of a part, for the comparison. */
function partText(part: Part): string {
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

export const messageText = (message: Message) => message.parts.map(partText).join('\n\n');

const isEqual = (a: Message, b: Message) => a.role === b.role && messageText(a) === messageText(b);
const isPrompt = ({ role }: Message) => role === 'system' || role === 'developer';

/** Pairs edited prompts at the same position; all other differing messages are removed or added. */
export function whatChanged(before: readonly Message[], after: readonly Message[]): Changes {
  const shorter = Math.min(before.length, after.length);
  const old = [...before];
  const current = [...after];
  const edited: Edit[] = [];
  let same = 0;
  let isPrefix = true;
  let index = 0;
  for (; index < shorter; index++) {
    const [oldMessage, newMessage] = [old[index] as Message, current[index] as Message];
    if (isEqual(oldMessage, newMessage)) {
      if (isPrefix) same++;
    } else if (isPrompt(oldMessage) && oldMessage.role === newMessage.role) {
      isPrefix = false;
      edited.push({ role: newMessage.role, before: messageText(oldMessage), after: messageText(newMessage) });
    } else break;
  }
  const [remainingOld, remainingNew] = [old.slice(index), current.slice(index)];
  // A truncated history continues with the common part, so messages are found at any position.
  const counts = new Map<string, number>();
  const key = (message: Message) => `${message.role}\n${messageText(message)}`;
  for (const message of remainingOld) counts.set(key(message), (counts.get(key(message)) ?? 0) + 1);
  const added = remainingNew.filter((message) => {
    const remaining = counts.get(key(message)) ?? 0;
    if (remaining > 0) counts.set(key(message), remaining - 1);
    return remaining === 0;
  });
  const removed = remainingOld.toReversed().filter((message) => {
    const remaining = counts.get(key(message)) ?? 0;
    if (remaining > 0) counts.set(key(message), remaining - 1);
    return remaining > 0;
  });
  return { same, edited, added, removed: removed.toReversed() };
}
