import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { type Program, UsageError } from './command-line.ts';
import { otlpPortsForm, otlpPortsOf } from './otlp-ports.ts';

/** The command line of `npm run gateway`, and of `npm start` without a window. */
export const gatewayProgram = {
  name: 'npm run gateway --',
  about: 'Runs the gateway of this machine without a window: the API, and the viewer at /. One gateway serves one data folder.',
  options: {
    port: { value: 'PORT', help: 'the port to listen on; 0 for any free port', default: '9418' },
    data: { value: 'DIR', help: 'the data folder', default: dataFolder() },
    'otlp-ports': { value: 'PORTS', help: `also accept OTLP on the standard ports: ${otlpPortsForm}`, default: 'off' },
    project: { value: 'DIR', help: 'the folder whose prompts and datasets are served', default: process.cwd() },
  },
} satisfies Program<string>;

/** @throws UsageError */
export function portsOf(text: string | undefined): OtlpPorts {
  const ports = otlpPortsOf(text ?? '');
  if (!ports) throw new UsageError(`--otlp-ports takes ${otlpPortsForm}, not '${text}'.`);
  return ports;
}
