import { dataFolder } from '../platform/data-folder.ts';
import { addressHelp, addressOptions } from './address.ts';
import type { Command } from './command.ts';

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
  // The checks load both stores, which the other commands do not need.
  execute: async (values) => (await import('./doctor-report.ts')).reportChecks(values),
};
