/** A span of a run as comparisons see it, whichever store it comes from. */
import type { Difference } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';

/** What a step was given, and what came of it. */
export type StepPart = Exclude<Difference, 'order' | 'missing'>;

/**
 * One text for each part that the span has: equal parts have equal texts. Ids that differ from run to run are not in them.
 * A part that only one of two spans has is a difference, except for models: many senders do not say which one answered.
 */
export type StepParts = Partial<Record<StepPart, string>>;

export interface RunSpan {
  id: string;
  parentId: string | null;
  kind: SemanticKind;
  /** Of the tool or agent; the model of a model call; otherwise the span. */
  name: string;
  /** What it was asked or what it answered, in one line. */
  text: { input: string; output: string };
  /** Milliseconds since the start of the run. */
  startMs: number;
  durationMs: number;
  tokens: number;
  cost: number;
  isFailed: boolean;
  /** It has not ended, so that its results are not known. */
  isRunning: boolean;
  given: StepParts;
  results: StepParts;
}
