/** Programs that connect to /mcp, and how each is configured. */
import { connectSteps, keyPlace, type Target } from '../../model/setup/setup-lines.ts';

export interface McpProgram {
  id: string;
  name: string;
  /** Where it is configured. */
  about: string;
  steps: { title: string; code: string }[];
  /** Whether a client that gives itself this name is this program. */
  isNamed(name: string): boolean;
}

const urlOf = ({ origin }: Target): string => `${origin}/mcp`;

/** Null on a gateway without sign-in. */
const headersOf = ({ appId, key }: Target): Record<string, string> | null =>
  appId === null ? null : { Authorization: `Bearer ${key ?? keyPlace}`, 'X-Service-App-Id': appId };

const flags = (target: Target): string =>
  Object.entries(headersOf(target) ?? {})
    .map(([name, value]) => ` --header "${name}: ${value}"`)
    .join('');

/** A settings file with one server in it. */
function settings(target: Target, list: string, server: (url: string) => Record<string, string>): string {
  const headers = headersOf(target);
  return JSON.stringify({ [list]: { glasshouse: { ...server(urlOf(target)), ...(headers ? { headers } : {}) } } }, null, 2);
}

function codexSettings(target: Target): string {
  const headers = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `"${name}" = "${value}"`);
  const line = headers.length === 0 ? '' : `\nhttp_headers = { ${headers.join(', ')} }`;
  return `[mcp_servers.glasshouse]\nurl = "${urlOf(target)}"${line}`;
}

export const mcpPrograms = (target: Target): McpProgram[] => [
  {
    ...{ id: 'claude-code', name: 'Claude Code', about: 'One command, for all of your projects.' },
    isNamed: (name) => /claude/i.test(name),
    steps: [{ title: 'Run once', code: `claude mcp add --scope user --transport http glasshouse ${urlOf(target)}${flags(target)}` }],
  },
  {
    ...{ id: 'cursor', name: 'Cursor', about: 'A file in the project, or in your home folder.' },
    isNamed: (name) => /cursor/i.test(name),
    steps: [
      ...connectSteps(target, 'cursor'),
      { title: 'Add to .cursor/mcp.json', code: settings(target, 'mcpServers', (url) => ({ url })) },
    ],
  },
  {
    ...{ id: 'vs-code', name: 'VS Code', about: 'For the agent mode of Copilot.' },
    isNamed: (name) => /visual studio code|^vs ?code/i.test(name),
    steps: [{ title: 'Add to .vscode/mcp.json', code: settings(target, 'servers', (url) => ({ type: 'http', url })) }],
  },
  {
    ...{ id: 'codex', name: 'Codex', about: 'For the command line, the app and the editor extension.' },
    isNamed: (name) => /codex/i.test(name),
    steps: [{ title: 'Add to ~/.codex/config.toml', code: codexSettings(target) }],
  },
  {
    ...{ id: 'gemini-cli', name: 'Gemini CLI', about: 'One command, for all of your projects.' },
    isNamed: (name) => /gemini/i.test(name),
    steps: [{ title: 'Run once', code: `gemini mcp add --scope user --transport http${flags(target)} glasshouse ${urlOf(target)}` }],
  },
  {
    ...{ id: 'zed', name: 'Zed', about: 'A context server in its settings.' },
    isNamed: (name) => /^zed/i.test(name),
    steps: [
      ...connectSteps(target, 'zed'),
      { title: 'Add to settings.json', code: settings(target, 'context_servers', (url) => ({ url })) },
    ],
  },
];
