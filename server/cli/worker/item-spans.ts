/**
 * The spans of one row of an experiment, with the attributes by which ingest assigns them to their experiment
 * (docs/reference/jobs.md#what-an-experiment-is).
 */
import { randomBytes } from 'node:crypto';
import { type Attributes, attributeList, nano } from '../otlp-values.ts';
import type { PromptOutcome } from './handler.ts';

export interface ItemIds {
  traceId: string;
  rootId: string;
  callId: string;
}

export interface Item {
  ids: ItemIds;
  runId: string;
  runName: string;
  dataset: string;
  index: number;
  experimentKey: string;
  commitSha: string | null;
  /** Its name in the front matter, or its path. */
  promptName: string | null;
  input: unknown;
  expectedOutput: unknown;
  startMs: number;
  endMs: number;
  /** Null when it failed. */
  outcome: PromptOutcome | null;
  /** Why it failed. */
  error: string | null;
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

export const newItemIds = (): ItemIds => ({ traceId: hex(16), rootId: hex(8), callId: hex(8) });

export const traceparentOf = ({ traceId, rootId }: ItemIds): string => `00-${traceId}-${rootId}-01`;

/** Text as it is, everything else as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const message = (role: string, content: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** OTLP/JSON. */
export function itemSpans(item: Item): object {
  const { ids, startMs, endMs, outcome, error } = item;
  const times = { traceId: ids.traceId, kind: 1, startTimeUnixNano: nano(startMs), endTimeUnixNano: nano(endMs) };
  const status = error === null ? { code: 1 } : { code: 2, message: error };
  const root = {
    ...times,
    spanId: ids.rootId,
    name: `experiment-${item.runName}-${item.index}`,
    status,
    attributes: attributeList(rootAttributes(item)),
  };
  const call = outcome?.model && {
    ...times,
    spanId: ids.callId,
    parentSpanId: ids.rootId,
    name: `chat ${outcome.model}`,
    kind: 3,
    status,
    attributes: attributeList(callAttributes(item, outcome)),
  };
  const resource = { attributes: attributeList({ 'service.name': 'glasshouse-worker' }) };
  const spans = call ? [root, call] : [root];
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'agentmark' }, spans }] }] };
}

const rootAttributes = (item: Item): Attributes => ({
  'agentmark.dataset_run_id': item.runId,
  'agentmark.dataset_run_name': item.runName,
  'agentmark.dataset_path': item.dataset,
  'agentmark.dataset_item_name': String(item.index),
  'agentmark.dataset_input': JSON.stringify(item.input),
  'agentmark.dataset_expected_output': item.expectedOutput === null ? null : textOf(item.expectedOutput),
  'agentmark.experiment_key': item.experimentKey,
  'agentmark.metadata.commit_sha': item.commitSha,
  'agentmark.prompt_name': item.promptName,
  'agentmark.props': JSON.stringify(item.input),
  'agentmark.input': textOf(item.input),
  'agentmark.output': item.outcome ? textOf(item.outcome.result) : null,
});

const callAttributes = ({ input, promptName }: Item, { model, usage, finishReason, result }: PromptOutcome): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': model,
  'gen_ai.response.finish_reasons': finishReason,
  'gen_ai.usage.input_tokens': usage?.inputTokens,
  'gen_ai.usage.output_tokens': usage?.outputTokens,
  'gen_ai.input.messages': message('user', textOf(input)),
  'gen_ai.output.messages': message('assistant', textOf(result)),
  'agentmark.prompt_name': promptName,
});
