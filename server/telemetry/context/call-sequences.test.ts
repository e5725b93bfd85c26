import { describe, expect, it } from 'vitest';
import { callSequences } from './call-sequences.ts';
import { price } from './fixtures/generated-run.ts';
import type { ModelCall } from './model-call.ts';
import type { PromptPart } from './prompt-part.ts';
import { PromptTexts } from './prompt-texts.ts';
import { TextComparer } from './similar-texts.ts';

interface Sent {
  id: string;
  system?: string;
  /** The messages, apart by a bar. */
  says?: string;
  agent?: string;
  agentId?: string;
  model?: string;
  at: number;
  lasts?: number;
}

const brief = 'You are an analyst who compares prices of battery packs and cites sources.';
const titles = 'Write a title of at most five words for this conversation. Answer with it alone.';
const summaries = 'Summarise conversations in bullet points, so that another model can go on from there.';

function sequencesOf(...sent: Sent[]): string[][] {
  const texts = new PromptTexts();
  const part = (origin: PromptPart['origin'], text: string): PromptPart => ({
    ...{ origin, text, name: '', label: '', callId: '', items: 1, mediaTokens: null },
  });
  const calls = sent.map(({ id, system = brief, says, agent = 'analyst', agentId = agent, model = 'large', at, lasts = 5 }): ModelCall => {
    const prompt = says === undefined ? [] : [part('system', system), ...says.split('|').map((text) => part('user', text))];
    return {
      ...{ id, agentId, agent, model, modelKey: model, price, limitTokens: null, startMs: at, durationMs: lasts, firstTokenMs: null },
      ...{ isFailed: false, isRunning: false, cost: null, costFactor: 1, state: says === undefined ? 'not_recorded' : 'recorded' },
      usage: { input: 10, output: 1, cached: null, written: null },
      prompt: texts.add(prompt),
    };
  });
  const check = () => {};
  return callSequences(calls, texts, new TextComparer(check), check).map((sequence) => sequence.map((call) => call.id));
}

describe('calls share a window', () => {
  it('when each prompt continues the one before, also on another model', () => {
    const grown = [
      { id: 'a', says: 'find prices', at: 0 },
      { id: 'b', says: 'find prices|looked|found 1', at: 10 },
      { id: 'c', says: 'find prices|looked|found 1|looked again|found 2', at: 20, model: 'small' },
    ];
    expect(sequencesOf(...grown)).toEqual([['a', 'b', 'c']]);
  });

  it('when the agent began anew after its conversation was compacted, or the clock in its system prompt moved on', () => {
    expect(sequencesOf({ id: 'a', says: 'find prices|looked', at: 0 }, { id: 'b', says: 'summary of all', at: 10 })).toEqual([['a', 'b']]);
    const later = { id: 'b', says: 'find prices|looked', at: 10, system: `${brief} It is 09:32.` };
    expect(sequencesOf({ id: 'a', says: 'find prices', at: 0, system: `${brief} It is 09:31.` }, later)).toEqual([['a', 'b']]);
  });

  it('when one of them was not recorded', () => {
    const calls = [
      { id: 'a', says: 'find prices', at: 0 },
      { id: 'b', at: 10 },
      { id: 'c', says: 'find prices|looked', at: 20 },
    ];
    expect(sequencesOf(...calls)).toEqual([['a', 'b', 'c']]);
    expect(sequencesOf({ id: 'a', at: 0 }, { id: 'b', at: 10 })).toEqual([['a', 'b']]);
  });
});

describe('calls do not share a window', () => {
  it('when a title or a summary is written of the conversation', () => {
    const title = { id: 't', says: 'find prices|looked', at: 15, system: titles, model: 'small' };
    const summary = { id: 's', says: 'find prices|looked', at: 16, system: summaries };
    const rest = { id: 'c', says: 'find prices|looked|found 1', at: 30 };
    const found = sequencesOf(
      { id: 'a', says: 'find prices', at: 0 },
      { id: 'b', says: 'find prices|looked', at: 10 },
      title,
      summary,
      rest,
    );
    expect(found).toEqual([['a', 'b', 'c'], ['t'], ['s']]);
  });

  it('of two agents, and of two runs of one agent that know nothing of each other', () => {
    expect(sequencesOf({ id: 'a', says: 'find', at: 0 }, { id: 'b', says: 'find|more', at: 10, agent: 'scout' })).toEqual([['a'], ['b']]);
    const writer = { id: 'b', says: 'write a text', at: 10, system: 'You are a writer agent. Write for everyone.' };
    const scout = { id: 'a', says: 'find prices', at: 0, system: 'You are a research agent. Search for facts.' };
    expect(sequencesOf(scout, writer)).toEqual([['a'], ['b']]);
    const again = { id: 'b', says: 'check warranties', at: 10, agentId: 'another run' };
    expect(sequencesOf({ id: 'a', says: 'find prices', at: 0 }, again)).toEqual([['a'], ['b']]);
  });

  it('when conversations run at the same time', () => {
    const found = sequencesOf(
      { id: 'a1', says: 'prices in Lyon', at: 0 },
      { id: 'b1', says: 'prices in Oslo', at: 6 },
      { id: 'a2', says: 'prices in Lyon|looked at Lyon', at: 12 },
      { id: 'b2', says: 'prices in Oslo|looked at Oslo', at: 18 },
    );
    expect(found).toEqual([
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });
});
