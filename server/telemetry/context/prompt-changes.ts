/** What entered a prompt since the call before, what was dropped, and what was rewritten. */
import type { StoredPart } from './prompt-texts.ts';
import { isCutFrom, type TextComparer } from './similar-texts.ts';

/** Ids are those of the parts of a window. */
export interface PromptChanges {
  entered: number[];
  dropped: number[];
  rewritten: { from: number; to: number }[];
  summary: number | null;
}

/** Parts of a prompt that are compared with others: the first. */
const comparedMax = 1000;

export type PartOf = (id: number) => StoredPart;

export function promptChanges(before: readonly number[], after: readonly number[], partOf: PartOf, comparer: TextComparer): PromptChanges {
  const [hadBefore, hasNow] = [new Set(before), new Set(after)];
  const [dropped, entered] = [before.filter((id) => !hasNow.has(id)), after.filter((id) => !hadBefore.has(id))];
  if (dropped.length === 0 || entered.length === 0) return { entered, dropped, rewritten: [], summary: null };
  const [placesBefore, placesNow] = [placesOf(before, hasNow), placesOf(after, hadBefore)];
  const [droppedFirst, enteredFirst] = [dropped.slice(0, comparedMax), entered.slice(0, comparedMax)];
  const rewritten = rewrittenParts(droppedFirst, enteredFirst, partOf, {
    isNear: (from, to) => isSamePlace(placesBefore.get(from), placesNow.get(to)),
    isRewritten: (from, to) =>
      from.origin === 'tool_definitions' || isCutFrom(from.text, to.text) || comparer.areSimilar(from.text, to.text),
  });
  const pairs = new Set(rewritten.flatMap(({ from, to }) => [from, to]));
  const [lost, added] = [dropped.filter((id) => !pairs.has(id)), entered.filter((id) => !pairs.has(id))];
  return { entered, dropped, rewritten, summary: summaryAmong(added, lost, partOf, comparer) };
}

/** The parts next to a part that are in the other prompt, too; null at an end. */
interface Place {
  after: number | null;
  before: number | null;
}

function placesOf(ids: readonly number[], stays: ReadonlySet<number>): Map<number, Place> {
  const places = new Map<number, Place>();
  let last: number | null = null;
  for (const id of ids) {
    places.set(id, { after: last, before: null });
    if (stays.has(id)) last = id;
  }
  last = null;
  for (const id of ids.toReversed()) {
    (places.get(id) as Place).before = last;
    if (stays.has(id)) last = id;
  }
  return places;
}

const isSamePlace = (a: Place | undefined, b: Place | undefined): boolean =>
  a !== undefined && b !== undefined && (a.after === b.after || (a.before !== null && a.before === b.before));

/** Candidates of one part that are compared with it. */
const candidatesMax = 8;

function rewrittenParts(
  dropped: readonly number[],
  entered: readonly number[],
  partOf: PartOf,
  { isNear, isRewritten }: { isNear: (from: number, to: number) => boolean; isRewritten: (from: StoredPart, to: StoredPart) => boolean },
): PromptChanges['rewritten'] {
  const free = new Map<string, number[]>();
  for (const id of entered) {
    const key = kindOf(partOf(id));
    const sameKind = free.get(key);
    if (sameKind) sameKind.push(id);
    else free.set(key, [id]);
  }
  const pairs: PromptChanges['rewritten'] = [];
  for (const from of dropped) {
    const sameKind = free.get(kindOf(partOf(from))) ?? [];
    const { callId } = partOf(from);
    const answer = callId === '' ? undefined : sameKind.find((id) => partOf(id).callId === callId);
    const near = () => sameKind.filter((id) => isNear(from, id)).slice(0, candidatesMax);
    const to = answer ?? near().find((id) => isRewritten(partOf(from), partOf(id)));
    if (to === undefined) continue;
    pairs.push({ from, to });
    sameKind.splice(sameKind.indexOf(to), 1);
  }
  return pairs;
}

const kindOf = ({ origin, name }: StoredPart): string => `${origin} ${name}`;

/** A summary is shorter than what it stands for, and repeats many of its words. */
const summaryMin = 40;
const wordsOfSourceMin = 0.5;
/** Parts of which one may be the summary, and parts that it may summarise: the first. */
const [summariesMax, sourcesMax] = [10, 100];
const announcement = /\b(?:summary|summari[sz]ed|compacted|continued from a previous conversation)\b/i;

function summaryAmong(entered: readonly number[], dropped: readonly number[], partOf: PartOf, comparer: TextComparer): number | null {
  if (dropped.length < 2) return null;
  const sources = dropped.slice(0, sourcesMax).map((id) => partOf(id).text);
  const length = sources.reduce((sum, text) => sum + text.length, 0);
  let known: ReadonlySet<string> | null = null;
  const found = entered.slice(0, summariesMax).find((id) => {
    const { origin, text } = partOf(id);
    if (origin === 'tool_result' || text.length < summaryMin || text.length * 2 > length) return false;
    if (announcement.test(text.slice(0, 1000))) return true;
    known ??= comparer.distinctWords(sources);
    return comparer.shareOfKnown(text, known) >= wordsOfSourceMin;
  });
  return found ?? null;
}
