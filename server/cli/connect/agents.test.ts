import { describe, expect, it } from 'vitest';
import { connectableAgents } from './agents.ts';
import { connecting, disconnecting, isConnected } from './connection.ts';

const url = 'http://127.0.0.1:9418';
const { 'claude-code': claude, codex, gemini, cursor, zed } = connectableAgents;

describe('the settings of an agent', () => {
  it('are in its folder in the home, or where its variable says', () => {
    const inHome = (environment: NodeJS.ProcessEnv) =>
      Object.values(connectableAgents).map((agent) => agent.fileOf({ folder: '/home/ada', environment }));
    expect(inHome({}).slice(0, 4)).toEqual([
      '/home/ada/.claude/settings.json',
      '/home/ada/.codex/config.toml',
      '/home/ada/.gemini/settings.json',
      '/home/ada/.cursor/mcp.json',
    ]);
    const moved = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', GEMINI_CLI_HOME: '/g' };
    expect(inHome(moved).slice(0, 3)).toEqual(['/c/settings.json', '/x/config.toml', '/g/.gemini/settings.json']);
    expect(zed.fileOf({ folder: '/home/ada', environment: {} })).toMatch(/[zZ]ed\/settings\.json$/);
  });

  it.each(Object.entries(connectableAgents))('name the address of the gateway, and are undone: %s', (_, agent) => {
    const { text, change } = connecting(agent.format, null, agent.settingsFor(url));
    expect(isConnected(agent.format, text, agent.settingsFor(url))).toBe(true);
    expect(isConnected(agent.format, text, agent.settingsFor('http://127.0.0.1:9500'))).toBe(false);
    expect(agent.format.sourceOf(text, agent.address.path)).toBe(`"${url}${agent.address.suffix}"`);
    expect(disconnecting(agent.format, text, change)).toEqual({ text: null, kept: [] });
  });

  it('are what the setup page and the guide say', () => {
    const made = (agent: typeof codex | typeof gemini | typeof cursor | typeof zed) =>
      connecting(agent.format, '', agent.settingsFor(url)).text;
    expect(made(codex)).toBe(`[otel]
log_user_prompt = true
exporter = { otlp-http = { endpoint = "${url}/v1/logs", protocol = "binary" } }
trace_exporter = { otlp-http = { endpoint = "${url}/v1/traces", protocol = "binary" } }
`);
    expect(JSON.parse(made(gemini))).toEqual({
      telemetry: { enabled: true, traces: true, target: 'local', otlpProtocol: 'http', otlpEndpoint: url, logPrompts: true },
    });
    expect(JSON.parse(made(cursor))).toEqual({ mcpServers: { glasshouse: { url: `${url}/mcp` } } });
    expect(JSON.parse(made(zed))).toEqual({ context_servers: { glasshouse: { url: `${url}/mcp` } } });
  });

  it('take out what would send the traces of Claude Code elsewhere, or keys of another backend here', () => {
    const env = {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://other',
      OTEL_EXPORTER_OTLP_HEADERS: 'k=v',
      OTEL_METRICS_EXPORTER: 'prometheus',
    };
    const { text } = connecting(claude.format, JSON.stringify({ env }), claude.settingsFor(url));
    const left = Object.keys((JSON.parse(text) as { env: object }).env).filter((name) => name in env);
    expect(left).toEqual(['OTEL_METRICS_EXPORTER']);
  });
});
