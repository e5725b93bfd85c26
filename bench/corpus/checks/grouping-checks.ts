/** What a span belongs to: session, user, tags, metadata, prompt, dataset run. */

import type { Expect } from '../comparison.ts';
import type { ExpectedSpan } from '../expectation.ts';
import { sameJson, sameSet } from '../same.ts';
import type { ShownSpan } from '../shown.ts';

const fields = {
  session_id: 'sessions',
  session_name: 'sessions.name',
  user_id: 'users',
  trace_name: 'trace names',
  prompt_name: 'prompts.name',
  prompt_path: 'prompts.path',
  experiment_key: 'datasets.experiment',
  source_tree_hash: 'datasets.source',
} as const;

export function checkGrouping(expect: Expect, expected: ExpectedSpan, { wire, summary, content }: ShownSpan): void {
  for (const [field, group] of Object.entries(fields)) {
    const value = expected[field as keyof typeof fields];
    const got = summary[field as keyof typeof fields];
    if (value !== undefined && value !== null) expect(group, got === value, value, got);
  }
  if (expected.prompt_name) expect('prompts.shown', wire.prompt_name === expected.prompt_name, expected.prompt_name, wire.prompt_name);
  if (expected.tags) expect('tags.span', sameSet(expected.tags, summary.tags), expected.tags, summary.tags);
  if (expected.agent) expect('agents', summary.agent_name === expected.agent.name, expected.agent.name, summary.agent_name);
  checkMetadata(expect, expected.metadata ?? {}, wire.metadata, promoted(summary));
  if (expected.dataset) checkDataset(expect, expected.dataset, summary, content);
}

/** Values of fields that metadata keys may have become: such a key is shown only as the field. */
export function promoted(summary: ShownSpan['summary']): string[] {
  const texts = Object.values(summary).filter((value): value is string => typeof value === 'string' && value !== '');
  return [...texts, JSON.stringify(summary.tags)];
}

export function checkMetadata(
  expect: Expect,
  expected: Record<string, unknown>,
  got: Record<string, string>,
  elsewhere: readonly string[],
): void {
  for (const [key, value] of Object.entries(expected)) {
    // Public metadata values are strings: numbers, booleans and lists are shown as JSON.
    const isShown = key in got && sameJson(value, got[key]);
    const isPromoted = !(key in got) && elsewhere.includes(typeof value === 'string' ? value : JSON.stringify(value));
    expect(`metadata.${key}`, isShown || isPromoted, value, got[key]);
  }
}

function checkDataset(
  expect: Expect,
  expected: Record<string, string>,
  summary: ShownSpan['summary'],
  content: ShownSpan['content'],
): void {
  const got: Record<string, string> = {
    run_id: summary.dataset_run_id,
    run_name: summary.dataset_run_name,
    item_name: summary.dataset_item_name,
    path: summary.dataset_path,
    input: content.dataset_input,
    expected_output: content.dataset_expected_output,
  };
  for (const [field, value] of Object.entries(expected)) expect(`datasets.${field}`, got[field] === value, value, got[field]);
}
