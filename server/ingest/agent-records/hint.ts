/** What to turn on where records or metrics came that no trace can be made of. */
import type { DecodedLogs } from '../otlp/decoded.ts';
import { agentOf } from './agents.ts';

const namesMax = 4;

/** '' when something was kept, or nothing was of interest. */
export function hintOf({ logs, unplaced }: Pick<DecodedLogs, 'logs' | 'unplaced'>): string {
  if (logs.length > 0) return '';
  const kinds = Map.groupBy(Object.keys(unplaced), (name) => agentOf(name)?.name ?? 'other');
  return [...kinds].map(([agent, names]) => sentence(agent, names.sort(), unplaced)).join(' ');
}

function sentence(agent: string, names: string[], unplaced: Record<string, number>): string {
  const count = names.reduce((sum, name) => sum + (unplaced[name] ?? 0), 0);
  const some = `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', …' : ''}`;
  const records = `${count} log ${count === 1 ? 'record' : 'records'}`;
  switch (agent) {
    case 'claude-code':
      return `${records} of claude-code without a prompt id: ${some}. A trace begins with the first prompt; OTEL_LOG_USER_PROMPTS=1 and OTEL_LOG_TOOL_DETAILS=1 record its words.`;
    case 'codex':
      return `${records} of codex that belong to no prompt: ${some}. A trace begins with the first prompt; log_user_prompt = true under [otel] records its words.`;
    case 'gemini-cli':
      return `${records} of gemini-cli without a prompt id: ${some}. A trace begins with the first prompt; "logPrompts": true under "telemetry" records its words.`;
    default:
      return `${records} of model calls without a span: ${some}. Send traces as well: the records belong to their spans.`;
  }
}

/** For senders of metrics alone. */
export const metricsHint =
  'Metrics are taken and not kept: traces come from spans and log records. Claude Code: OTEL_LOGS_EXPORTER=otlp. Codex: exporter and trace_exporter under [otel]. Gemini CLI: "telemetry": {"enabled": true, "target": "local"}.';
