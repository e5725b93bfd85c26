import { dataFolder } from '../platform/data-folder.ts';
import { addressHelp, addressOf, addressOptions, placeOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf } from './command.ts';
import { environmentChecks, folderChecks, type Judged, otlpPortChecks, portChecks, versionChecks } from './doctor-checks.ts';
import { forwardingChecks } from './doctor-forwarding.ts';
import { repairChecks, storeChecks } from './doctor-store.ts';
import { whoAnswers } from './local-gateway.ts';
import { coloured, printable } from './terminal.ts';

const mark = { good: ['ok  ', 'green'], odd: ['odd ', 'yellow'], bad: ['BAD ', 'red'] } as const;

export const doctor: Command = {
  summary: 'look at port, store, disk, versions and project, and say what to do',
  help: `glasshouse doctor [--url URL] [--data DIR] [--project DIR] [--repair]

Looks, and changes nothing: whether this Node will do, who answers on the port, whether the standard ports
of OTLP are open, whether the store is sound (every page and
every content is read, its log is checked, and sums are compared with the spans they are made from), whether there is room on its disk, whether others may read it, whether the project folder can be used, whether
traces are forwarded and get through, and whether the environment of this shell sends spans elsewhere. Each line that is not fine says what to do.

${addressHelp}
  --data DIR     data folder
  --project DIR  project folder (the working directory)
  --repair       first put right what a store keeps twice: sums and indexes. No gateway may run on the data folder

0: nothing is wrong, though something may be odd. 1: something is.
`,
  options: {
    ...addressOptions,
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
    repair: { type: 'boolean', default: false },
  },
  act: async (values) => {
    const url = addressOf(values);
    const answering = await whoAnswers(url);
    const dataDir = textOf(values, 'data') ?? '';
    const isRunning = answering.kind === 'glasshouse';
    if (values['repair'] && isRunning)
      throw new CommandError(exitCode.failed, `A gateway answers ${placeOf(url)}. Stop it first: a store that is in use is not repaired.`);
    const repair = values['repair'] ? await repairChecks(dataDir) : [];
    const judged: Judged[] = [
      ...versionChecks(),
      ...portChecks(url, answering),
      ...otlpPortChecks(answering),
      ...repair,
      ...storeChecks(dataDir, isRunning),
      ...(await forwardingChecks(answering, dataDir)),
      ...folderChecks(textOf(values, 'project') ?? ''),
      ...environmentChecks(process.env, url, answering.kind === 'glasshouse' ? answering.gateway.otlpPorts : undefined),
    ];
    for (const { how, what, says, todo } of judged) {
      const [word, colour] = mark[how];
      process.stdout.write(`${coloured(colour, word)} ${what.padEnd(12)} ${printable(says)}\n`);
      if (todo !== undefined) process.stdout.write(`${' '.repeat(18)}${printable(todo)}\n`);
    }
    return judged.some(({ how }) => how === 'bad') ? exitCode.failed : exitCode.ok;
  },
};
