/** Settings that make coding agents send telemetry. They send prompts and responses only when that is enabled explicitly. */
import type { SpanFamily } from '../../../shared/span-families.ts';
import { connectSteps, environmentLines, headerLine, headersOf, type Target } from '../../model/setup/setup-lines.ts';

export interface CodingAgent {
  id: string;
  name: string;
  about: string;
  families: readonly SpanFamily[];
  steps: { title: string; code: string }[];
}

/** Title of a step that is the other way, where there is a command. */
const orElse = (target: Target, step: string): string =>
  headersOf(target) === null ? `Or yourself: ${step}` : `${step.charAt(0).toUpperCase()}${step.slice(1)}`;

const claudeCode = (target: Target): CodingAgent => ({
  id: 'claude-code',
  name: 'Claude Code',
  families: ['claude-code'],
  about: 'Each prompt becomes a trace of its session, with tools, tokens and the cost that Claude Code reports.',
  steps: [
    ...connectSteps(target, 'claude-code'),
    {
      title: orElse(target, 'set before it starts'),
      code: `export CLAUDE_CODE_ENABLE_TELEMETRY=1
export OTEL_LOGS_EXPORTER=otlp
${environmentLines(target)}
export OTEL_LOG_USER_PROMPTS=1
export OTEL_LOG_ASSISTANT_RESPONSES=1
export OTEL_LOG_TOOL_DETAILS=1
claude`,
    },
    {
      title:
        'For exact times of every call, also send its traces (a beta feature of Claude Code). Lists hide them where its history is read',
      code: `export CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1
export OTEL_TRACES_EXPORTER=otlp
export OTEL_LOG_TOOL_CONTENT=1`,
    },
  ],
});

const tomlHeaders = (target: Target): string => {
  const pairs = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `"${name}" = "${value}"`);
  return pairs.length === 0 ? '' : `, headers = { ${pairs.join(', ')} }`;
};

const codexExporter = (target: Target, signal: string): string =>
  `{ otlp-http = { endpoint = "${target.origin}/v1/${signal}", protocol = "binary"${tomlHeaders(target)} } }`;

const codex = (target: Target): CodingAgent => ({
  id: 'codex',
  name: 'Codex',
  families: ['codex'],
  about: 'Traces have the turns; logs have the prompt and the tool results, so both are turned on.',
  steps: [
    ...connectSteps(target, 'codex'),
    {
      title: orElse(target, 'add to ~/.codex/config.toml'),
      code: `[otel]
log_user_prompt = true
exporter = ${codexExporter(target, 'logs')}
trace_exporter = ${codexExporter(target, 'traces')}`,
    },
  ],
});

const geminiCli = (target: Target): CodingAgent => ({
  id: 'gemini-cli',
  name: 'Gemini CLI',
  families: ['genai'],
  about: 'Without "traces" its spans have neither the model nor the messages.',
  steps: [
    ...connectSteps(target, 'gemini'),
    {
      title: orElse(target, 'add to ~/.gemini/settings.json'),
      code: `{
  "telemetry": {
    "enabled": true,
    "traces": true,
    "target": "local",
    "otlpProtocol": "http",
    "otlpEndpoint": "${target.origin}",
    "logPrompts": true
  }
}`,
    },
    ...(headersOf(target) ? [{ title: 'Set before it starts', code: headerLine(target) }] : []),
  ],
});

export const codingAgents = (target: Target): CodingAgent[] => [claudeCode(target), codex(target), geminiCli(target)];
