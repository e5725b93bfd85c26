/** The first place at which a prompt differs from the one before it: from there on, a provider cannot read it from its cache. */
import type { PromptChange } from '../../../shared/contract/tracing/context-terms.ts';
import type { PromptDivergence } from '../../../shared/contract/tracing/context-windows.ts';
import { changedText, changedValue } from './changed-text.ts';
import type { PartOf, PromptChanges } from './prompt-changes.ts';
import { toolsIn } from './prompt-parts.ts';
import type { StoredPart } from './prompt-texts.ts';
import { commonStart } from './similar-texts.ts';

/** Null when the prompt begins with the whole prompt before it. */
export function promptDivergence(
  before: readonly number[],
  after: readonly number[],
  changes: PromptChanges,
  partOf: PartOf,
): PromptDivergence | null {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  if (same === before.length) return null;
  const [from, to] = [before[same] as number, after[same] ?? null];
  const [textBefore, textAfter] = [partOf(from).text, to === null ? '' : partOf(to).text];
  const bytesBefore = before.slice(0, same).reduce((sum, id) => sum + partOf(id).bytes, 0);
  const isRewritten = changes.rewritten.some((pair) => pair.from === from && pair.to === to);
  return {
    change: isRewritten && to !== null ? rewriting(partOf(from), partOf(to)) : rearrangement(before, same, to, changes, partOf),
    before: from,
    after: to,
    byte: bytesBefore + Buffer.byteLength(textBefore.slice(0, commonStart(textBefore, textAfter))),
    text: isRewritten ? changedText(textBefore, textAfter) : null,
  };
}

function rewriting(from: StoredPart, to: StoredPart): PromptChange {
  if (from.origin === 'tool_definitions') {
    const [before, after] = [toolsIn(from.text), toolsIn(to.text)];
    const inOrder = (texts: string[]) => texts.sort().join('\n');
    if (inOrder(before.map(({ text }) => text)) === inOrder(after.map(({ text }) => text))) return 'reordered';
    if (inOrder(before.map(({ name }) => name)) !== inOrder(after.map(({ name }) => name))) return 'tools';
  }
  return changedValue(from.text, to.text) ?? (to.text.length * 2 <= from.text.length ? 'shortened' : 'edited');
}

/** @param same how many parts are the same as before @param to what follows them now */
function rearrangement(before: readonly number[], same: number, to: number | null, changes: PromptChanges, partOf: PartOf): PromptChange {
  const { entered, dropped, rewritten, summary } = changes;
  if (to !== null && to === summary) return 'summarised';
  const [gone, isNew] = [new Set(dropped), to !== null && entered.includes(to)];
  const from = before[same] as number;
  const isDropped = gone.has(from) && !rewritten.some((pair) => pair.from === from);
  if (!isDropped) return isNew || to === null ? 'inserted' : 'reordered';
  const hasHistory = before.some((id) => !gone.has(id) && isConversation(partOf(id)));
  return isNew && !hasHistory ? 'replaced' : 'pruned';
}

const isConversation = ({ origin }: StoredPart): boolean => origin !== 'tool_definitions' && origin !== 'system';
