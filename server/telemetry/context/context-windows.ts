/** What fills the context windows of a run, call by call. */
import type { ContextCall, ContextPart, ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { median } from '../../../shared/median.ts';
import { cacheLoss } from './cache-loss.ts';
import { callSequences } from './call-sequences.ts';
import type { ModelCall } from './model-call.ts';
import { partCosts } from './part-costs.ts';
import { PartIds } from './part-ids.ts';
import { type PartOf, type PromptChanges, promptChanges } from './prompt-changes.ts';
import { promptDivergence } from './prompt-divergence.ts';
import type { PromptTexts } from './prompt-texts.ts';
import { shareTokens, type TokenShares } from './share-tokens.ts';
import { TextComparer } from './similar-texts.ts';

/** @param calls of the run, by time @param check called for each of them and for each text that is compared; may throw to end the work */
export function contextWindows(calls: readonly ModelCall[], texts: PromptTexts, check: () => void = () => {}): ContextWindow[] {
  const comparer = new TextComparer(check);
  return callSequences(calls, texts, comparer, check).map((sequence) => new WindowBuilder(sequence, texts, comparer).build(check));
}

/** The call that the next one is compared with. */
interface Earlier {
  index: number;
  call: ModelCall;
  ids: number[];
  shares: TokenShares;
}

class WindowBuilder {
  readonly #sequence: readonly ModelCall[];
  readonly #comparer: TextComparer;
  readonly #ids: PartIds;
  readonly #parts: ContextPart[] = [];
  readonly #partOf: PartOf;
  readonly #calls: ContextCall[] = [];
  #earlier: Earlier | null = null;

  constructor(sequence: readonly ModelCall[], texts: PromptTexts, comparer: TextComparer) {
    this.#sequence = sequence;
    this.#comparer = comparer;
    this.#ids = new PartIds(texts);
    this.#partOf = (id) => texts.at(this.#ids.texts[id] as number);
  }

  build(check: () => void): ContextWindow {
    for (const [index, call] of this.#sequence.entries()) {
      check();
      this.#calls.push(this.#add(index, call));
    }
    const [first] = this.#sequence as [ModelCall];
    const model = mostFrequent(this.#sequence);
    const lengths = this.#calls.map(lengthOf);
    const longest = Math.max(...lengths);
    const isListed = model.limitTokens !== null && longest <= model.limitTokens;
    return {
      agent_id: first.agentId,
      agent: first.agent,
      model: model.model,
      // Some models have a longer window on request.
      limit_tokens: isListed ? model.limitTokens : null,
      cost: picodollars(this.#calls.reduce((sum, { cost }) => sum + (cost ?? 0), 0)),
      peak: lengths.indexOf(longest),
      usual_first_token_ms: median(this.#calls.flatMap((call) => (call.cache_loss ? [] : (call.first_token_ms ?? [])))),
      parts: this.#parts,
      calls: this.#calls,
    };
  }

  #add(index: number, call: ModelCall): ContextCall {
    const facts = factsOf(call);
    if (call.state !== 'recorded') return { ...facts, ...noPrompt };
    const ids = this.#ids.of(call.prompt);
    const before = this.#earlier;
    const changes = before ? promptChanges(before.ids, ids, this.#partOf, this.#comparer) : { ...noChanges, entered: ids };
    const shares = this.#sharesOf(call, ids, before, changes);
    this.#count(index, call, ids, shares);
    // A call that was refused leaves nothing in the cache, and says nothing about it.
    if (!(call.isFailed && call.usage.input === null)) this.#earlier = { index, call, ids, shares };
    return {
      ...{ ...facts, compared_with: before?.index ?? null, parts: ids, tokens: shares.tokens, other_tokens: shares.other, ...changes },
      divergence: before && this.#divergence(before, call, ids, changes),
      cache_loss: before && cacheLoss(before.call, call, keptTokens(ids, shares, changes), this.#isWhole(changes)),
    };
  }

  #sharesOf(call: ModelCall, ids: readonly number[], before: Earlier | null, { rewritten }: PromptChanges): TokenShares {
    const known = new Map(before?.ids.map((id, at): [number, number] => [id, before.shares.tokens[at] as number]));
    const weightOf = (id: number) => this.#partOf(id).weight;
    for (const { from, to } of rewritten) known.set(to, Math.round(((known.get(from) ?? 0) * weightOf(to)) / Math.max(1, weightOf(from))));
    const parts = ids.map((id) => ({ weight: weightOf(id), before: known.get(id) ?? null }));
    return shareTokens(call.usage.input, parts, before?.shares ?? null);
  }

  /** Whether everything that the call before sent was sent again, in full length. */
  #isWhole({ dropped, rewritten }: PromptChanges): boolean {
    const targets = new Map(rewritten.map(({ from, to }) => [from, to]));
    return dropped.every((id) => {
      const target = targets.get(id);
      return target !== undefined && this.#partOf(target).weight >= this.#partOf(id).weight;
    });
  }

  #divergence({ call: earlier, ids: before }: Earlier, call: ModelCall, ids: readonly number[], changes: PromptChanges) {
    if (earlier.modelKey !== call.modelKey) return { change: 'model' as const, before: null, after: null, byte: 0, text: null };
    return promptDivergence(before, ids, changes, this.#partOf);
  }

  #count(index: number, call: ModelCall, ids: readonly number[], shares: TokenShares): void {
    const costs = partCosts(call, shares);
    for (const [at, id] of ids.entries()) {
      const part = this.#parts[id] ?? this.#newPart(id, index);
      this.#parts[id] = part;
      part.calls++;
      part.tokens = shares.tokens[at] as number;
      if (costs) part.cost = picodollars((part.cost ?? 0) + (costs[at] as number));
    }
  }

  #newPart(id: number, entered: number): ContextPart {
    const { origin, name, label, items, bytes, text } = this.#partOf(id);
    return { origin, name, label, items, bytes, characters: text.length, tokens: 0, entered, calls: 0, cost: null };
  }
}

const noChanges: PromptChanges = { entered: [], dropped: [], rewritten: [], summary: null };
const noPrompt = {
  ...{ ...noChanges, compared_with: null, parts: [], tokens: [], other_tokens: 0 },
  ...{ divergence: null, cache_loss: null },
};

const factsOf = ({ usage, ...call }: ModelCall) => ({
  span_id: call.id,
  model: call.model,
  start_ms: call.startMs,
  duration_ms: call.durationMs,
  first_token_ms: call.firstTokenMs,
  is_failed: call.isFailed,
  is_running: call.isRunning,
  input_tokens: usage.input,
  output_tokens: usage.output,
  cached_tokens: usage.cached,
  cache_written_tokens: usage.written,
  cost: call.cost,
  prompt: call.state,
});

/** Tokens of parts that were in the call before, as they are or in another version. */
function keptTokens(ids: readonly number[], { tokens, other }: TokenShares, { entered, rewritten }: PromptChanges): number {
  const added = new Set(entered);
  for (const { to } of rewritten) added.delete(to);
  return ids.reduce((sum, id, at) => (added.has(id) ? sum : sum + (tokens[at] as number)), other);
}

const lengthOf = ({ input_tokens, tokens }: ContextCall): number => input_tokens ?? tokens.reduce((sum, each) => sum + each, 0);

function mostFrequent(calls: readonly ModelCall[]): ModelCall {
  const counts = new Map<string, number>();
  for (const { modelKey } of calls) counts.set(modelKey, (counts.get(modelKey) ?? 0) + 1);
  const [key] = [...counts].sort(([, a], [, b]) => b - a)[0] as [string, number];
  return calls.find(({ modelKey }) => modelKey === key) as ModelCall;
}

/** Without artefacts of binary fractions. */
const picodollars = (dollars: number): number => Math.round(dollars * 1e12) / 1e12;
