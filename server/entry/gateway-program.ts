import { dataFolder } from '../platform/data-folder.ts';
import type { Program } from './command-line.ts';

/** The command line of `npm run gateway`, and of `npm start` where it runs the same without a window. */
export const gatewayProgram = {
  name: 'npm run gateway --',
  about: 'Runs the gateway of this machine without a window: the API, and the viewer at /. One gateway serves one data folder.',
  options: {
    port: { value: 'PORT', help: 'where it listens; 0 takes any free port', default: '9418' },
    data: { value: 'DIR', help: 'where traces are kept', default: dataFolder() },
    project: { value: 'DIR', help: 'the folder whose prompts and datasets are served', default: process.cwd() },
  },
} satisfies Program<string>;
