import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { Home } from '../history/sources.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { traceLink } from '../reports/links.ts';
import { addressHelp, addressOf, addressOptions, localPortOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage, type Values } from './command.ts';
import { agentList } from './connect/agent-list.ts';
import { type AgentId, type ConnectableAgent, connectableAgents, isConnectable } from './connect/agents.ts';
import { changeLines, replacedLines } from './connect/change-lines.ts';
import { connecting, disconnecting, isConnected, type RememberedChange } from './connect/connection.ts';
import { isAgreed } from './connect/consent.ts';
import { firstTrace } from './connect/first-trace.ts';
import { RememberedChanges } from './connect/remembered.ts';
import { readSettings, type SettingsFile, writeSettings } from './connect/settings-file.ts';
import { SettingsError } from './connect/settings-format.ts';
import { describeProbe, probeGateway } from './local-gateway.ts';
import { printable } from './terminal.ts';

const waitMs = 10 * 60_000;
/** Agents report when a prompt began in milliseconds, some rounded down to seconds. */
const roundingMs = 1000;

export const connect: Command = {
  summary: 'make a coding agent send its traces here, after asking you',
  help: `glasshouse connect
       glasshouse connect claude-code|codex|gemini|cursor|zed [--yes] [--dry-run] [--no-wait] [--remove] [--url URL] [--data DIR]

Without a name, lists the coding agents of this machine, which are connected, and the command for each.

With one, shows what would be written to which file of the agent, asks, writes it, and waits until the first trace of the agent
has come. Everything else in the file stays as it is. claude-code, codex and gemini send prompts, replies and tools as they export
them. Cursor and Zed send nothing by themselves: their agents get the tools of /mcp, with which they can read traces.

  --yes          agree without being asked; needed where there is no terminal
  --dry-run      show what would be written, and write nothing
  --no-wait      do not wait for the first trace. Ctrl-C ends the wait too, and so do ten minutes
  --remove       undo it: put back what was there before. What you changed since stays
  --data DIR     folder that remembers what was replaced (${dataFolder()})
${addressHelp}

0: done, or nothing to do. 1: nothing was written, or no trace came in ten minutes.
`,
  options: {
    ...addressOptions,
    ...{ yes: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, 'no-wait': { type: 'boolean' }, remove: { type: 'boolean' } },
    data: { type: 'string', default: dataFolder() },
  },
  operands: true,
  execute: async (values, [id, ...more]) => {
    const home = { folder: homedir(), environment: process.env };
    const ids = Object.keys(connectableAgents).join(', ');
    if (more.length > 0) return usage(`Name one agent: ${ids}.`);
    if (id === undefined) {
      if (values['remove'] === true) return usage(`Name the agent: ${ids}.`);
      print(await agentList(home));
      return exitCode.ok;
    }
    if (!isConnectable(id)) return usage(`There is no agent ${printable(id)} to connect, only ${ids}.`);
    const target = await targetOf(id, home, values);
    return values['remove'] === true ? disconnectAgent(target, values) : connectAgent(target, values);
  },
};

const print = (text: string): void => void process.stdout.write(text);
const report = (line: string): void => void process.stderr.write(`glasshouse: ${line}\n`);

interface Target {
  agent: ConnectableAgent;
  file: SettingsFile;
  memory: RememberedChanges;
  remembered: RememberedChange | null;
}

async function targetOf(id: AgentId, home: Home, values: Values): Promise<Target> {
  const agent = connectableAgents[id];
  const file = await readSettings(agent.fileOf(home));
  const memory = new RememberedChanges(textOf(values, 'data') ?? dataFolder());
  return { agent, file, memory, remembered: await memory.of(file.target) };
}

/** @throws CommandError that names the file and the line for a text that cannot be changed */
function inFile<T>({ path }: SettingsFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const place = `${printable(path)}, line ${error.line}`;
    throw new CommandError(exitCode.failed, `${place}: ${printable(error.message)}. Nothing was written.`);
  }
}

async function connectAgent(target: Target, values: Values): Promise<number> {
  const { agent, file, remembered } = target;
  const url = addressOf(values);
  const settings = agent.settingsFor(url);
  if (inFile(file, () => isConnected(agent.format, file.text ?? '', settings))) {
    print(`${agent.name} is already connected to ${url}.\n`);
    return exitCode.ok;
  }
  const probe = await probeGateway(url);
  if (probe.kind === 'other' && probe.isCloud) throw new CommandError(exitCode.failed, cloudRefusal(url));
  const { text, change, replaced } = inFile(file, () => {
    const before = remembered && file.text !== null ? disconnecting(agent.format, file.text, remembered).text : file.text;
    return connecting(agent.format, before, settings);
  });
  if (probe.kind !== 'glasshouse') report(describeProbe(url, probe));
  if (!existsSync(dirname(file.target)))
    report(`${agent.name} was not found on this machine: there is no ${printable(dirname(file.path))}.`);
  print(changeLines(file.path, file.text, text));
  print(replacedLines(agent, replaced));
  print(`${whatIsSent(agent, url)}\n`);
  if (values['dry-run'] === true) return exitCode.ok;
  if (!(await isAgreed(values['yes'] === true))) return exitCode.failed;
  const sinceMs = Date.now() - roundingMs;
  await writeRemembered(target, text, change);
  print(`${agent.name} is connected to ${url}. ${agent.next}\n`);
  if (agent.filter === null || values['no-wait'] === true) return exitCode.ok;
  return waitForTrace(agent, agent.filter, url, sinceMs);
}

const cloudRefusal = (url: string): string =>
  `${printable(url)} is a gateway for teams, which wants a key. Its page "Set up" has the settings of each agent with your key.`;

function whatIsSent({ name, filter }: ConnectableAgent, url: string): string {
  if (filter === null) return `${name} sends no telemetry by itself. With this, its agent can ask Glasshouse what runs did.`;
  const place = localPortOf(url) === null ? `They go to ${printable(url)}.` : 'They stay on this machine, unless you forward them.';
  return `${name} sends your prompts, its replies and what its tools did, as far as it exports them. ${place}`;
}

/** Remembers the change first: what was replaced must never be lost. */
async function writeRemembered({ file, memory, remembered }: Target, text: string, change: RememberedChange): Promise<void> {
  await memory.set(file.target, change);
  try {
    await writeSettings(file, text);
  } catch (error) {
    await memory.set(file.target, remembered);
    throw error;
  }
}

async function waitForTrace({ name, overrides }: ConnectableAgent, filter: string, url: string, sinceMs: number): Promise<number> {
  const end = new AbortController();
  const stop = () => end.abort();
  process.once('SIGINT', stop);
  const limit = AbortSignal.timeout(waitMs);
  report(`waiting for the first trace of ${name}; Ctrl-C ends the wait`);
  const trace = await firstTrace({ url, filter, sinceMs, signal: AbortSignal.any([end.signal, limit]), say: report });
  process.removeListener('SIGINT', stop);
  if (trace) {
    print(`The first trace has come: ${printable(trace.name, 80)}\n${traceLink(url, trace.id)}\n`);
    return exitCode.ok;
  }
  if (!limit.aborted) return exitCode.ok;
  report(
    `no trace came in ten minutes. Was ${name} restarted? What overrides its settings: ${overrides}. The ingest log of the viewer shows what came: ${url}/#/ingest-log`,
  );
  return exitCode.failed;
}

async function disconnectAgent({ agent, file, memory, remembered }: Target, values: Values): Promise<number> {
  if (remembered === null || file.text === null) {
    if (remembered !== null) await memory.set(file.target, null);
    print(`${agent.name} was not connected by this command: nothing to remove from ${printable(file.path)}.\n`);
    return exitCode.ok;
  }
  const before = file.text;
  const { text, kept } = inFile(file, () => disconnecting(agent.format, before, remembered));
  if (text !== before) print(changeLines(file.path, before, text));
  if (kept.length > 0) print(`Changed since, and left as it is: ${kept.map((path) => printable(path.join('.'))).join(', ')}.\n`);
  if (values['dry-run'] === true) return exitCode.ok;
  if (text !== before) {
    if (!(await isAgreed(values['yes'] === true))) return exitCode.failed;
    await writeSettings(file, text);
  }
  await memory.set(file.target, null);
  print(`${agent.name} is no longer connected. Running sessions keep their settings until they end.\n`);
  return exitCode.ok;
}
