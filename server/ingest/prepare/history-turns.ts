/** The turns of a batch that were read from session files, and the traces that an agent exported of turns. */
import { type HistoryTurn, historyTurnOf } from '../agent-records/history-turn.ts';
import { agentHistoryScope, conversationOf } from '../agent-records/turn-record.ts';
import type { PreparedBatch, PreparedSpan } from './prepared.ts';
import { spanDataOf } from './span-data-of.ts';

/** The roots of turns that were read from session files. */
export function historyTurnsIn(batch: PreparedBatch): { root: PreparedSpan; turn: HistoryTurn }[] {
  const roots = spansOf(batch, agentHistoryScope).filter((span) => span.semantic_kind === 'agent');
  return roots.flatMap((root) => {
    const turn = historyTurnOf(spanDataOf(batch, root));
    return turn ? [{ root, turn }] : [];
  });
}

export type ExportingAgent = keyof typeof exportScopes;

/** Of spans that agents begin traces for, by the agent. */
const exportScopes = { 'claude-code': 'com.anthropic.claude_code.tracing', 'gemini-cli': 'gemini-cli' } as const;

/** A span of a trace that an agent exported of a part of a turn. */
export interface ExportedSpan {
  agent: ExportingAgent;
  trace_id: string;
  conversation: string;
  start_us: number;
}

/** Claude Code begins a trace for each prompt, Gemini CLI for each call of a model and each batch of tools. */
export const exportedSpansIn = (batch: PreparedBatch): ExportedSpan[] =>
  (Object.keys(exportScopes) as ExportingAgent[]).flatMap((agent) =>
    spansOf(batch, exportScopes[agent])
      .filter(({ trace_id, session_id }) => session_id !== '' && /^[0-9a-f]{32}$/.test(trace_id))
      .map(({ trace_id, session_id, start_us }) => ({ agent, trace_id, start_us, conversation: conversationOf(agent, session_id) })),
  );

/** Whether spans of a scope may be those that an agent exports of its turns, besides those that are read from its session files. */
export const isExportScope = (name: string): boolean => name.startsWith('codex') || Object.values<string>(exportScopes).includes(name);

export function isExported({ resources }: PreparedBatch, { instrumentation }: PreparedSpan): boolean {
  const json = resources[instrumentation] ?? '';
  // Every span of a gateway is asked, and few are of an agent.
  return /codex|gemini-cli|claude_code\.tracing/.test(json) && isExportScope(scopeName(json));
}

const scopeName = (json: string): string => (JSON.parse(json) as { name?: string }).name ?? '';

function spansOf(batch: PreparedBatch, scope: string): PreparedSpan[] {
  const isOf = batch.resources.map((json) => json.includes(scope) && scopeName(json) === scope);
  return isOf.includes(true) ? batch.spans.filter(({ instrumentation }) => isOf[instrumentation]) : [];
}
