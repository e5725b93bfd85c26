/** The parts of the prompts of a window: their names, the bands of the picture that they belong to, and what happened to them in a call. */
import type { ContextCall, ContextPart, ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { plural } from '../text/format.ts';

/** Kinds of bands in the picture, each with a colour. The results of the three heaviest tools have bands of their own. */
export const bandTones = [
  'other',
  'tools',
  'system',
  'document',
  'media',
  'user',
  'handedOver',
  'result1',
  'result2',
  'result3',
  'results',
  'assistant',
] as const;
export type BandTone = (typeof bandTones)[number];

const toolTones = ['result1', 'result2', 'result3'] as const;

const bandNames: Record<Exclude<BandTone, 'result1' | 'result2' | 'result3'>, string> = {
  other: 'Not recorded',
  tools: 'Tool definitions',
  system: 'System prompt',
  document: 'Documents',
  media: 'Media',
  user: 'User messages',
  handedOver: 'Handed over by agents',
  results: 'Results of other tools',
  assistant: 'Assistant turns',
};

export interface Bands {
  /** The tone of each part, by its index. */
  toneOf: readonly BandTone[];
  /** The bands that occur, in the order of the legend. */
  legend: readonly { tone: BandTone; name: string }[];
}

/** @param agents names of the agents of the trace: what a tool of such a name returned was handed over by that agent */
export function bandsOf(window: ContextWindow, agents: ReadonlySet<string>): Bands {
  const weights = new Map<string, number>();
  const isOfTool = (part: ContextPart) => part.origin === 'tool_result' && !agents.has(part.name);
  for (const part of window.parts) if (isOfTool(part)) weights.set(part.name, (weights.get(part.name) ?? 0) + part.tokens * part.calls);
  const heaviest = [...weights].sort(([, a], [, b]) => b - a).flatMap(([name]) => (name === '' ? [] : name));
  const tools = new Map(toolTones.flatMap((tone, index) => (heaviest[index] === undefined ? [] : [[heaviest[index], tone] as const])));
  const toneOf = window.parts.map((part): BandTone => {
    if (part.origin === 'tool_result') return agents.has(part.name) ? 'handedOver' : (tools.get(part.name) ?? 'results');
    return part.origin === 'tool_definitions' ? 'tools' : part.origin;
  });
  const names = new Map<BandTone, string>([...tools].map(([name, tone]) => [tone, `${name} results`]));
  const present = new Set<BandTone>(toneOf);
  if (window.calls.some(({ other_tokens }) => other_tokens > 0)) present.add('other');
  const legend = bandTones
    .filter((tone) => present.has(tone))
    .map((tone) => ({ tone, name: names.get(tone) ?? bandNames[tone as keyof typeof bandNames] }));
  return { toneOf, legend };
}

const notes: Record<ContextPart['origin'], string> = {
  tool_definitions: '',
  system: '',
  user: 'user message',
  assistant: 'assistant turn',
  tool_result: 'result',
  document: 'document',
  media: 'media',
};

/** What a part is called, and what it is. */
export function partName(part: ContextPart): { name: string; note: string } {
  const { origin, name, label, items } = part;
  if (origin === 'tool_definitions') return { name: plural(items, 'tool definition'), note: '' };
  if (origin === 'system') return { name: 'System prompt', note: '' };
  if (origin === 'tool_result') return { name: label || 'Empty result', note: name ? `${name} result` : 'result of a tool' };
  if (origin === 'document' || origin === 'media') return { name: name || label || 'unnamed', note: notes[origin] };
  return { name: label || 'Empty', note: notes[origin] };
}

export const groupKinds = ['entered', 'dropped', 'rewritten', 'stayed'] as const;
export type GroupKind = (typeof groupKinds)[number];

export interface GroupedPart {
  part: number;
  tokens: number;
  /** In how many calls it was so far, this one included. */
  calls: number;
}

export interface PartGroup {
  kind: GroupKind;
  tokens: number;
  /** The heaviest first. */
  parts: readonly GroupedPart[];
}

/** What happened to the parts in a call. Entered, rewritten and stayed are what was sent; empty groups are left out. */
export function partGroups(window: ContextWindow, index: number): PartGroup[] {
  const call = window.calls[index] as ContextCall;
  const entered = new Set(call.entered);
  const rewritten = new Map(call.rewritten.map(({ from, to }) => [to, from]));
  const replaced = new Set(rewritten.values());
  const callsOf = callsUpTo(window, index);
  const groups: Record<GroupKind, GroupedPart[]> = { entered: [], dropped: [], rewritten: [], stayed: [] };
  for (const [at, part] of call.parts.entries()) {
    const kind = rewritten.has(part) ? 'rewritten' : entered.has(part) ? 'entered' : 'stayed';
    groups[kind].push({ part, tokens: call.tokens[at] ?? 0, calls: callsOf.get(part) ?? 0 });
  }
  for (const part of call.dropped)
    if (!replaced.has(part)) groups.dropped.push({ part, tokens: window.parts[part]?.tokens ?? 0, calls: callsOf.get(part) ?? 0 });
  return groupKinds
    .map((kind) => ({
      kind,
      tokens: groups[kind].reduce((sum, { tokens }) => sum + tokens, 0),
      parts: groups[kind].sort((a, b) => b.tokens - a.tokens),
    }))
    .filter(({ parts }) => parts.length > 0);
}

function callsUpTo({ calls }: ContextWindow, index: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { parts } of calls.slice(0, index + 1)) for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

export interface HeavyPart {
  part: number;
  entered: number;
  calls: number;
  tokens: number;
  cost: number | null;
  /** Of the bill of the window, or of all its input tokens where nothing has a price. */
  share: number;
}

export interface Heaviest {
  rows: readonly HeavyPart[];
  isOfCost: boolean;
}

/** The parts by what they cost over all calls; by their tokens where prices are not known. */
export function heaviestParts(window: ContextWindow): Heaviest {
  const isOfCost = window.cost > 0 && window.parts.some(({ cost }) => cost !== null && cost > 0);
  const sent = new Float64Array(window.parts.length);
  let allSent = 0;
  for (const { parts, tokens, other_tokens } of window.calls) {
    for (const [at, part] of parts.entries()) sent[part] = (sent[part] ?? 0) + (tokens[at] ?? 0);
    allSent += other_tokens + tokens.reduce((sum, each) => sum + each, 0);
  }
  const shareOf = ({ cost }: ContextPart, index: number) =>
    isOfCost ? (cost ?? 0) / window.cost : (sent[index] as number) / Math.max(1, allSent);
  const rows = window.parts.map(({ entered, calls, tokens, cost }, index) => ({
    ...{ part: index, entered, calls, tokens, cost },
    share: shareOf(window.parts[index] as ContextPart, index),
  }));
  return { rows: rows.sort((a, b) => b.share - a.share), isOfCost };
}
