/** How the stories of the demo are written down. `run-spans.ts` makes spans of them. */
import type { ToolName } from './tool-definitions.ts';

export type Model = 'gpt-5' | 'gpt-5-mini' | 'claude-sonnet-4-5' | 'claude-haiku-4-5';

export interface Failure {
  /** As in `error.type`. */
  type: string;
  message: string;
}

export interface ToolCall {
  tool: ToolName;
  args: Record<string, unknown>;
  /** Text, or an object that is sent as JSON. Absent if it failed. */
  result?: unknown;
  failed?: Failure;
  /** How long it took. */
  ms: number;
}

/** An agent that another one asks, as it calls a tool. */
export interface AgentCall {
  agent: Agent;
  turn: Turn;
}

export type Step = ToolCall | AgentCall;

export interface Agent {
  name: string;
  model: Model;
  system: string;
  prompt: { name: string; version: string };
  tools: readonly ToolName[];
}

/** A score from 0 to 1, and its reason. */
export type Judgement = readonly [score: number, reason: string];

export interface Turn {
  ask: string;
  /** What the model does before it answers: each entry holds the steps that it asks for at once. */
  rounds: readonly (readonly Step[])[];
  answer: string;
  /** The last call of the model failed, and with it the run; then `answer` is empty. */
  failed?: Failure;
  /** Given by a person: 0 or 1. */
  helpful?: Judgement;
  /** Given by a judge. */
  tone?: Judgement;
}

/** One run of an agent, or several in one session. */
export interface Story {
  /** Unique; the ids are made from it. */
  key: string;
  /** Name of the traces. */
  name: string;
  /** Name of the session; without one there is no session. */
  session?: string;
  user?: string;
  environment: 'production' | 'staging';
  tags: readonly string[];
  /** When it began, in working hours before now. */
  hoursAgo: number;
  agent: Agent;
  turns: readonly Turn[];
  /** The row of a dataset that it answers, and the run that it belongs to. */
  experiment?: ExperimentRow;
}

export interface ExperimentRow {
  run: string;
  dataset: string;
  item: string;
  input: Record<string, unknown>;
  expected: string;
  correct: Judgement;
}
