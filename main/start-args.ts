/** The command line of `npm start`. */
import { answerHelp, type Program, parseArguments, portOf, projectOf, UsageError } from '../server/entry/command-line.ts';
import { gatewayProgram, portsOf } from '../server/entry/gateway-program.ts';
import { parseOpenTargets } from './desktop/open-targets.ts';

const { port, data, project, 'otlp-ports': otlpPorts } = gatewayProgram.options;

const program = {
  name: 'npm start --',
  about:
    'Opens the desktop app; where there is no Electron or no display, runs the gateway with the viewer at the address it prints.\n' +
    'Trace files and glasshouse:// links are opened. Arguments after a further -- are passed to Chromium.',
  options: {
    port,
    data,
    project: { ...project, default: 'the one that was opened last, else the working directory' },
    'otlp-ports': { ...otlpPorts, default: 'on, while the settings of the app do not say otherwise' },
    hidden: { help: 'without a window, as at login' },
    'no-sandbox': { help: "without Chromium's sandbox, which does not run as root" },
  },
} satisfies Program<string>;

export interface StartArgs {
  /** For the desktop app. */
  args: string[];
  /** For the gateway without a desktop, which has neither window nor sandbox. */
  forGateway: string[];
}

/** Answers `--help`. @throws UsageError with a sentence for the user */
export function readStartArgs(argv: readonly string[]): StartArgs {
  answerHelp(program, argv);
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const { values, operands } = parseArguments(program, own);
  if (values.port !== undefined) portOf(values.port);
  if (values['otlp-ports'] !== undefined) portsOf(values['otlp-ports']);
  if (values.project !== undefined) projectOf(values.project);
  const unknown = operands.find((word) => parseOpenTargets([word], '.').length === 0);
  if (unknown !== undefined)
    throw new UsageError(`'${unknown}' is neither a trace file nor a link; ${program.name} --help shows what can be given.`);
  const options = (['port', 'data', 'project'] as const).flatMap((key) => (values[key] === undefined ? [] : [`--${key}=${values[key]}`]));
  // Files are for the window; the gateway reports that it ignores them.
  const forGateway = [...options, `--otlp-ports=${values['otlp-ports'] ?? 'on'}`, ...operands];
  return { args: end === -1 ? [...own] : [...own, ...argv.slice(end + 1)], forGateway };
}
