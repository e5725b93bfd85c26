/** A model call of a run as context windows see it, whichever store it comes from. */
import type { PromptState } from '../../../shared/contract/tracing/context-terms.ts';
import type { Price } from '../../ingest/cost/price-table.ts';

export interface ModelCall {
  id: string;
  /** Span of the nearest agent above, or of the tool that makes the call by itself. */
  agentId: string | null;
  agent: string;
  model: string;
  /** Equal for names of one model. */
  modelKey: string;
  price: Price | null;
  limitTokens: number | null;
  /** Milliseconds since the start of the run. */
  startMs: number;
  durationMs: number;
  firstTokenMs: number | null;
  isFailed: boolean;
  isRunning: boolean;
  /** Tokens; null where they were not reported. Input has cached and written ones in it. */
  usage: { input: number | null; output: number | null; cached: number | null; written: number | null };
  /** US dollars; null when not known. */
  cost: number | null;
  /** What was charged in proportion to the price list: not 1 where the sender reported another cost. */
  costFactor: number;
  state: PromptState;
  /** Ids in `PromptTexts`, in the order of the prompt; empty unless it was recorded. */
  prompt: readonly number[];
}
