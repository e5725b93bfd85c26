/** The coding agents that can be connected: where their settings are, and what is set there. */
import { join } from 'node:path';
import { agentFolder, type Home } from '../../history/sources.ts';
import type { Setting } from './connection.ts';
import { jsonSettings } from './json-settings.ts';
import type { SettingPath, SettingsFormat } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';

export interface ConnectableAgent {
  name: string;
  /** The file of its settings. */
  fileOf(home: Home): string;
  format: SettingsFormat;
  /** @param url of the gateway, without a trailing slash */
  settingsFor(url: string): Setting[];
  /** The setting with the address of the gateway, and what follows the address in it. */
  address: { path: SettingPath; suffix: string };
  /** Selects its traces. Null for an agent that sends none by itself, and only gets the tools of `/mcp`. */
  filter: string | null;
  /** What to do after its settings have changed. */
  next: string;
  /** What overrides its settings. */
  overrides: string;
}

const claudeEnvironment = (url: string): Record<string, string | null> => ({
  CLAUDE_CODE_ENABLE_TELEMETRY: '1',
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_LOG_USER_PROMPTS: '1',
  OTEL_LOG_ASSISTANT_RESPONSES: '1',
  OTEL_LOG_TOOL_DETAILS: '1',
  // Its traces, which have exact times and the whole content of tools.
  CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_LOG_TOOL_CONTENT: '1',
  // These take precedence over the general ones, and headers hold keys of another backend.
  OTEL_EXPORTER_OTLP_HEADERS: null,
  ...Object.fromEntries(
    ['LOGS', 'TRACES'].flatMap((signal) =>
      ['ENDPOINT', 'PROTOCOL', 'HEADERS'].map((name) => [`OTEL_EXPORTER_OTLP_${signal}_${name}`, null]),
    ),
  ),
});

const claudeCode: ConnectableAgent = {
  name: 'Claude Code',
  fileOf: (home) => join(agentFolder['claude-code'](home), 'settings.json'),
  format: jsonSettings,
  settingsFor: (url) => Object.entries(claudeEnvironment(url)).map(([name, value]) => ({ path: ['env', name], value })),
  address: { path: ['env', 'OTEL_EXPORTER_OTLP_ENDPOINT'], suffix: '' },
  filter: 'service = claude-code or agent = claude-code',
  next: 'Restart `claude` and give it a prompt.',
  overrides: 'settings of the project (.claude/settings.json) and of an administrator, and OTEL_ variables of the shell',
};

const codexExporter = (url: string, signal: string) => ({ 'otlp-http': { endpoint: `${url}/v1/${signal}`, protocol: 'binary' } });

const codex: ConnectableAgent = {
  name: 'Codex',
  fileOf: (home) => join(agentFolder.codex(home), 'config.toml'),
  format: tomlSettings,
  settingsFor: (url) => [
    { path: ['otel', 'log_user_prompt'], value: true },
    { path: ['otel', 'exporter'], value: codexExporter(url, 'logs') },
    { path: ['otel', 'trace_exporter'], value: codexExporter(url, 'traces') },
  ],
  address: { path: ['otel', 'exporter', 'otlp-http', 'endpoint'], suffix: '/v1/logs' },
  filter: 'service starts with codex or agent = codex',
  next: 'Restart `codex` and give it a prompt.',
  overrides: 'settings of the project (.codex/config.toml) and of a profile, and `-c` options',
};

const gemini: ConnectableAgent = {
  name: 'Gemini CLI',
  fileOf: (home) => join(agentFolder.gemini(home), 'settings.json'),
  format: jsonSettings,
  settingsFor: (url) => [
    { path: ['telemetry', 'enabled'], value: true },
    // Without this, its spans have neither the model nor the messages.
    { path: ['telemetry', 'traces'], value: true },
    { path: ['telemetry', 'target'], value: 'local' },
    { path: ['telemetry', 'otlpProtocol'], value: 'http' },
    { path: ['telemetry', 'otlpEndpoint'], value: url },
    { path: ['telemetry', 'logPrompts'], value: true },
    // A file takes precedence over the address.
    { path: ['telemetry', 'outfile'], value: null },
  ],
  address: { path: ['telemetry', 'otlpEndpoint'], suffix: '' },
  filter: 'service = gemini-cli or agent = gemini-cli',
  next: 'Restart `gemini` and give it a prompt.',
  overrides: 'settings of the project (.gemini/settings.json), GEMINI_TELEMETRY_ and OTEL_ variables, and `--telemetry` options',
};

const mcpServer = (list: string): Pick<ConnectableAgent, 'settingsFor' | 'address'> => ({
  settingsFor: (url) => [{ path: [list, 'glasshouse'], value: { url: `${url}/mcp` } }],
  address: { path: [list, 'glasshouse', 'url'], suffix: '/mcp' },
});

const cursor: ConnectableAgent = {
  name: 'Cursor',
  fileOf: ({ folder }) => join(folder, '.cursor', 'mcp.json'),
  format: jsonSettings,
  ...mcpServer('mcpServers'),
  filter: null,
  next: 'Turn the server on in the MCP settings of Cursor, and ask its agent: what did the last run do?',
  overrides: 'settings of the project (.cursor/mcp.json)',
};

function zedFolder({ folder, environment }: Home, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(folder, 'AppData', 'Roaming'), 'Zed');
  const configured = platform === 'linux' && (environment['FLATPAK_XDG_CONFIG_HOME'] || environment['XDG_CONFIG_HOME']);
  return join(configured || join(folder, '.config'), 'zed');
}

const zed: ConnectableAgent = {
  name: 'Zed',
  fileOf: (home) => join(zedFolder(home, process.platform), 'settings.json'),
  format: jsonSettings,
  ...mcpServer('context_servers'),
  filter: null,
  next: 'Ask the agent of Zed: what did the last run do?',
  overrides: 'settings of the project (.zed/settings.json)',
};

export const connectableAgents = { 'claude-code': claudeCode, codex, gemini, cursor, zed } as const satisfies Record<
  string,
  ConnectableAgent
>;
export type AgentId = keyof typeof connectableAgents;

export const isConnectable = (id: string): id is AgentId => Object.hasOwn(connectableAgents, id);
