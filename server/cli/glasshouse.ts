/** `glasshouse COMMAND`: the gateway from a shell. Everything uses the public API, except for what `doctor` reads from disk. */
import { parseArgs } from 'node:util';
import { version } from '../platform/version.ts';
import { budget } from './budget.ts';
import { type Command, CommandError, exitCode, usage } from './command.ts';
import { connect } from './connect.ts';
import { deleteTraces } from './delete-traces.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { exportTraces } from './export-traces.ts';
import { importFiles } from './import-files.ts';
import { mcp } from './mcp.ts';
import { openTrace } from './open-trace.ts';
import { run } from './run.ts';
import { reportCommands } from './show-reports.ts';
import { skill } from './skill.ts';
import { spending } from './spending.ts';
import { start } from './start.ts';
import { tail } from './tail.ts';
import { printable } from './terminal.ts';
import { worker } from './worker.ts';

const commands: Record<string, Command> = {
  ...{ start, run, connect, open: openTrace, tail, doctor, export: exportTraces, import: importFiles },
  ...reportCommands,
  ...{ spending, budget },
  ...{ delete: deleteTraces, demo, mcp, skill, worker },
};

const overview = `glasshouse ${version}: see what LLM and agent programs do, on this machine

${Object.entries(commands)
  .map(([name, { summary }]) => `  glasshouse ${name.padEnd(8)} ${summary}`)
  .join('\n')}

Every command that needs a gateway finds it at --url URL or --port PORT, else at GLASSHOUSE_URL, else at port 9418 of this machine.
\`glasshouse COMMAND --help\` shows the details. Exit codes: 0 done, 1 failed or problems found, 2 invalid usage,
3 no gateway answers. \`run\` ends like its program; 124 to 127 are its own.
`;

async function main(args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version' || name === '-v') return print(`${version}\n`);
  if (name === '--help' || name === '-h' || name === 'help') return print(overview);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandError(exitCode.usage, `There is no command ${printable(name)}. \`glasshouse --help\` lists them.`);
  const end = command.passesArguments ? rest.indexOf('--') : -1;
  const commandArgs = end === -1 ? rest : rest.slice(0, end);
  const { values, positionals } = parse(name, command, commandArgs);
  if (values['help']) return print(command.help);
  if (!command.operands && positionals.length > 0) usage(`${printable(positionals[0] ?? '')} is not expected. ${helpHint(name)}`);
  return command.execute(values, end === -1 ? positionals : [...positionals, ...rest.slice(end + 1)]);
}

function parse(name: string, { options }: Command, args: string[]) {
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return usage(`${printable(message)}\n${helpHint(name)}`);
  }
}

const helpHint = (name: string): string => `\`glasshouse ${name} --help\` lists the options.`;

function print(text: string): number {
  process.stdout.write(text);
  return exitCode.ok;
}

// A reader that stops early (`| head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? exitCode.ok : exitCode.failed));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A file or folder that cannot be accessed is not a bug: print the message without a stack trace.
  const isSystemError = error instanceof Error && 'syscall' in error;
  if (!(error instanceof CommandError) && !isSystemError) throw error;
  process.stderr.write(`glasshouse: ${isSystemError ? printable(error.message) : error.message}\n`);
  process.exitCode = error instanceof CommandError ? error.exitCode : exitCode.failed;
}
