/** Lists the coding agents of this machine: which are connected, to what, and the command for each. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Home } from '../../history/sources.ts';
import { CommandError } from '../command.ts';
import { printable } from '../terminal.ts';
import { type ConnectableAgent, connectableAgents } from './agents.ts';
import { isConnected } from './connection.ts';
import { readSettings } from './settings-file.ts';
import { SettingsError, valueAt } from './settings-format.ts';

const nameWidth = Math.max(...Object.values(connectableAgents).map(({ name }) => name.length)) + 2;

export async function agentList(home: Home): Promise<string> {
  const entries = await Promise.all(
    Object.entries(connectableAgents).map(async ([id, agent]) => {
      const { state, details } = await stateOf(id, agent, home);
      return [`${agent.name.padEnd(nameWidth)}${state}`, ...details.map((detail) => `${' '.repeat(nameWidth)}${detail}`), ''].join('\n');
    }),
  );
  return entries.join('');
}

interface AgentState {
  state: string;
  /** Lines below it. */
  details: string[];
}

async function stateOf(id: string, agent: ConnectableAgent, home: Home): Promise<AgentState> {
  const file = agent.fileOf(home);
  if (!existsSync(dirname(file))) return { state: 'not found on this machine', details: [] };
  const connect = `glasshouse connect ${id}`;
  try {
    const { text } = await readSettings(file);
    const address = valueAt(agent.format.read(text ?? ''), agent.address.path);
    if (typeof address !== 'string') return { state: 'not connected', details: [connect] };
    const url = address.endsWith(agent.address.suffix) ? address.slice(0, address.length - agent.address.suffix.length) : address;
    const isWhole = isConnected(agent.format, text ?? '', agent.settingsFor(url));
    const state = `${isWhole ? 'connected to' : 'set up differently, for'} ${printable(url)}`;
    return { state, details: [printable(file), isWhole ? `${connect} --remove` : connect] };
  } catch (error) {
    if (error instanceof SettingsError)
      return { state: 'its settings cannot be read', details: [`${printable(file)}, line ${error.line}: ${printable(error.message)}`] };
    if (error instanceof CommandError) return { state: 'its settings cannot be read', details: [error.message] };
    throw error;
  }
}
