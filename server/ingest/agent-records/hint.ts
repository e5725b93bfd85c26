/** Hints about settings, for senders whose records or metrics give no traces. */
import type { DecodedLogs } from '../otlp/decoded.ts';
import { agentOf } from './agents.ts';

const namesMax = 4;

/** '' when a record was stored, or none was of a model call or a coding agent. */
export function hintOf({ logs, unmatched }: Pick<DecodedLogs, 'logs' | 'unmatched'>): string {
  if (logs.length > 0) return '';
  const kinds = Map.groupBy(Object.keys(unmatched), (name) => agentOf(name)?.name ?? 'other');
  return [...kinds].map(([agent, names]) => sentence(agent, names.sort(), unmatched)).join(' ');
}

function sentence(agent: string, names: string[], unmatched: Record<string, number>): string {
  const count = names.reduce((sum, name) => sum + (unmatched[name] ?? 0), 0);
  const shown = `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', …' : ''}`;
  const records = `${count} log ${count === 1 ? 'record' : 'records'}`;
  switch (agent) {
    case 'claude-code':
      return `${records} of claude-code without a prompt id: ${shown}. A trace begins with the first prompt; OTEL_LOG_USER_PROMPTS=1 and OTEL_LOG_TOOL_DETAILS=1 record its text.`;
    case 'codex':
      return `${records} of codex that belong to no prompt: ${shown}. A trace begins with the first prompt; log_user_prompt = true under [otel] records its text.`;
    case 'gemini-cli':
      return `${records} of gemini-cli without a prompt id: ${shown}. A trace begins with the first prompt; "logPrompts": true under "telemetry" records its text.`;
    default:
      return `${records} of model calls without a span: ${shown}. Send traces as well: the records belong to their spans.`;
  }
}

/** For senders of metrics alone. */
export const metricsHint =
  'Metrics are accepted but not stored: traces come from spans and log records. Claude Code: OTEL_LOGS_EXPORTER=otlp. Codex: exporter and trace_exporter under [otel]. Gemini CLI: "telemetry": {"enabled": true, "target": "local"}.';
