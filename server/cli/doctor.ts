import { dataFolder } from '../platform/data-folder.ts';
import { addressHelp, addressOf, addressOptions, placeOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf } from './command.ts';
import { environmentChecks, type Finding, folderChecks, otlpPortChecks, portChecks, versionChecks } from './doctor-checks.ts';
import { forwardingChecks } from './doctor-forwarding.ts';
import { repairChecks, storeChecks } from './doctor-store.ts';
import { probeGateway } from './local-gateway.ts';
import { coloured, printable } from './terminal.ts';

const marks = { ok: ['ok  ', 'green'], warning: ['warn', 'yellow'], problem: ['FAIL', 'red'] } as const;

export const doctor: Command = {
  summary: 'check port, store, disk, versions and project, and say what to do',
  help: `glasshouse doctor [--url URL] [--data DIR] [--project DIR] [--repair]

Checks, without changing anything: the version of Node, what answers on the port, whether the standard ports of OTLP
are open, whether the store is sound (every page and every content is read, its log is checked, and roll-ups are
compared with their spans), whether its disk has free space, whether other users can read it, whether the project
folder can be used, whether traces are forwarded and arrive, and whether the environment of this shell sends spans
elsewhere. Every warning and problem says what to do.

${addressHelp}
  --data DIR     data folder
  --project DIR  project folder (the working directory)
  --repair       first rebuild what can be derived in the store: roll-ups and indexes. No gateway may run on the data folder

0: no problems, though there may be warnings. 1: problems found.
`,
  options: {
    ...addressOptions,
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
    repair: { type: 'boolean', default: false },
  },
  execute: async (values) => {
    const url = addressOf(values);
    const probe = await probeGateway(url);
    const dataDir = textOf(values, 'data') ?? '';
    const isRunning = probe.kind === 'glasshouse';
    if (values['repair'] && isRunning)
      throw new CommandError(exitCode.failed, `A gateway answers ${placeOf(url)}. Stop it first: a store that is in use is not repaired.`);
    const repair = values['repair'] ? await repairChecks(dataDir) : [];
    const findings: Finding[] = [
      ...versionChecks(),
      ...portChecks(url, probe),
      ...otlpPortChecks(probe),
      ...repair,
      ...storeChecks(dataDir, isRunning),
      ...(await forwardingChecks(probe, dataDir)),
      ...folderChecks(textOf(values, 'project') ?? ''),
      ...environmentChecks(process.env, url, probe.kind === 'glasshouse' ? probe.gateway.otlpPorts : undefined),
    ];
    for (const { level, check, message, advice } of findings) {
      const [word, colour] = marks[level];
      process.stdout.write(`${coloured(colour, word)} ${check.padEnd(12)} ${printable(message)}\n`);
      if (advice !== undefined) process.stdout.write(`${' '.repeat(18)}${printable(advice)}\n`);
    }
    return findings.some(({ level }) => level === 'problem') ? exitCode.failed : exitCode.ok;
  },
};
