/** Where the prompts of a window stop repeating the previous one: what changed, what it means for the cache, and what to do. */

import type { PromptChange } from '../../../shared/contract/tracing/context-terms.ts';
import type { ChangedText, ContextCall, ContextPart, ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { capital, count } from '../text/format.ts';
import { partName } from './context-parts.ts';

/**
 * `broke`: the prompt changed, and less was read from the cache. `expired`: less was read although the prompt only went on. `changed`: the
 * prompt changed, and nobody reported what was read from the cache.
 */
export type BreakKind = 'broke' | 'expired' | 'changed';

export function breakOf({ cache_loss, divergence, cached_tokens }: ContextCall): BreakKind | null {
  if (cache_loss) return divergence ? 'broke' : 'expired';
  return divergence && cached_tokens === null ? 'changed' : null;
}

/** Indexes of the calls with a break. */
export const breaksOf = ({ calls }: ContextWindow): number[] => calls.flatMap((call, index) => (breakOf(call) ? index : []));

/** How much later the first token came than usual, in milliseconds; 0 where that is not known. */
export const waitedLonger = ({ usual_first_token_ms }: ContextWindow, { first_token_ms }: ContextCall): number =>
  usual_first_token_ms === null || first_token_ms === null ? 0 : Math.max(0, first_token_ms - usual_first_token_ms);

const places: Record<ContextPart['origin'], string> = {
  tool_definitions: 'the tool definitions',
  system: 'the system prompt',
  user: 'a user message',
  assistant: 'an assistant turn',
  tool_result: 'the result of a tool',
  document: 'a document',
  media: 'a media part',
};

const sentences: Record<PromptChange, (place: string) => string> = {
  model: () => 'A different model was called.',
  time: (place) => `The time in ${place} changed.`,
  number: (place) => `A number in ${place} changed.`,
  tools: () => 'Tools were added or removed.',
  reordered: (place) =>
    place === places.tool_definitions ? 'The tools were in a different order.' : 'The same parts were in a different order.',
  shortened: (place) => `${capital(place)} was truncated.`,
  edited: (place) => `${capital(place)} was rewritten.`,
  summarised: () => 'Earlier messages were replaced by a summary.',
  pruned: () => 'Earlier messages were removed.',
  inserted: (place) => `${capital(place)} was inserted before earlier parts.`,
  replaced: () => 'The rest of the prompt is different.',
};

const pruning = 'Each removal invalidates the cache from there on: remove much at once, and rarely.';
const toTheEnd = (place: string) => `Put what changes into the last message, not into ${place}.`;
const advice: Record<PromptChange, (place: string) => string> = {
  model: () => 'Each model has its own cache: use one model for the whole run.',
  time: toTheEnd,
  number: toTheEnd,
  tools: () => 'Tool definitions come first in the prompt: offer the same ones in every call.',
  reordered: () => 'Send the parts in the same order in every call.',
  shortened: () => pruning,
  edited: () => 'Append new content, and leave what was already sent unchanged.',
  summarised: () => pruning,
  pruned: () => pruning,
  inserted: () => 'Append new content at the end.',
  replaced: () => '',
};

const placeOf = ({ parts }: ContextWindow, { divergence }: ContextCall): string => {
  const part = parts[divergence?.after ?? divergence?.before ?? -1];
  return part ? places[part.origin] : 'the prompt';
};

/** What changed in the prompt of a call, as a sentence; empty if it was only appended to. */
export const whatChanged = (window: ContextWindow, call: ContextCall): string =>
  call.divergence ? sentences[call.divergence.change](placeOf(window, call)) : '';

/** What to do about it, as a sentence; empty where nothing is known to help. */
export const whatToDo = (window: ContextWindow, call: ContextCall): string =>
  call.divergence ? advice[call.divergence.change](placeOf(window, call)) : 'A cache expires after some minutes without use.';

/** `System prompt, line 3, character 71 of 25 604`; empty where no part stands at the place. */
export function breakPlace({ parts }: ContextWindow, { divergence }: ContextCall): string {
  const part = parts[divergence?.after ?? divergence?.before ?? -1];
  if (!divergence || !part) return '';
  const { name, note } = partName(part);
  const called = part.origin === 'system' || part.origin === 'tool_definitions' ? name : `${name} (${note})`;
  if (!divergence.text) return called;
  const { line, character } = divergence.text;
  return `${called}, line ${count(line)}, character ${count(character)} of ${count(part.characters)}`;
}

export interface ChangedPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface ChangedLine {
  /** From 1; null for a line that goes on from one that is shown. */
  number: number | null;
  pieces: readonly ChangedPiece[];
}

/** Lines after the change that are shown. */
const linesAfter = 2;

/** The lines around a change. `words` marks the words that changed within the line; `lines` shows the lines as they were and as they are. */
export function changedLines(changed: ChangedText, by: 'words' | 'lines'): ChangedLine[] {
  const { line, head, removed, added, tail, is_cut } = changed;
  const cut = is_cut ? '…' : '';
  const first = line - (head.match(/\n/g)?.length ?? 0);
  const after = tail.split('\n').slice(0, linesAfter).join('\n');
  const same = (text: string): ChangedPiece => ({ kind: 'same', text });
  const rest = after.length < tail.length ? '…' : '';
  if (by === 'words') {
    const pieces = [
      same(head),
      { kind: 'removed', text: removed + cut },
      { kind: 'added', text: added + cut },
      same(after + rest),
    ] as const;
    return linesOf(pieces, first);
  }
  const [before, start] = splitAtLast(head);
  const [end, below] = splitAtFirst(after);
  const numberBelow = line + (added.match(/\n/g)?.length ?? 0) + 1;
  return [
    ...(before === null ? [] : linesOf([same(before)], first)),
    ...linesOf([{ kind: 'removed', text: start + removed + cut + end }], line),
    ...linesOf([{ kind: 'added', text: start + added + cut + end }], line),
    ...(below === null ? [] : linesOf([same(below + rest)], numberBelow)),
  ];
}

function splitAtLast(text: string): readonly [before: string | null, rest: string] {
  const at = text.lastIndexOf('\n');
  return at < 0 ? [null, text] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAtFirst(text: string): readonly [first: string, rest: string | null] {
  const at = text.indexOf('\n');
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function linesOf(pieces: readonly ChangedPiece[], first: number): ChangedLine[] {
  const lines: { number: number | null; pieces: ChangedPiece[] }[] = [{ number: first, pieces: [] }];
  let number = first;
  for (const { kind, text } of pieces) {
    for (const [at, part] of text.split('\n').entries()) {
      // A removed line has no number of its own, because the lines below are numbered as they are now.
      if (at > 0) lines.push({ number: kind === 'removed' ? null : ++number, pieces: [] });
      if (part !== '') lines.at(-1)?.pieces.push({ kind, text: part });
    }
  }
  return lines;
}
