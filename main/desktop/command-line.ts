import { parseArgs } from 'node:util';
import { portsOf } from '../../server/entry/gateway-program.ts';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';

const options = {
  port: { type: 'string', default: '9418' },
  data: { type: 'string' },
  project: { type: 'string' },
  hidden: { type: 'boolean' },
  'otlp-ports': { type: 'string' },
} as const;

export interface CommandLine {
  port: number;
  data: string | undefined;
  project: string | undefined;
  /** Without a window, as at login. */
  hidden: boolean;
  /** Absent: the standard ones. */
  otlpPorts: OtlpPorts | undefined;
}

/** Options of `npm run gateway`. Not strict, because argv also has Chromium's switches. */
export function commandLine(argv: string[]): CommandLine {
  const { values } = parseArgs({ args: argv, options, strict: false, allowPositionals: true });
  const text = (name: 'port' | 'data' | 'project' | 'otlp-ports') => {
    const value = values[name];
    if (value === true || value === '') throw new Error(`--${name} takes a value.`);
    return value as string | undefined;
  };
  const port = text('port') ?? '';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`--port takes a number from 0 to 65535, not '${port}'.`);
  const ports = text('otlp-ports');
  const otlpPorts = ports === undefined ? undefined : portsOf(ports);
  return { port: Number(port), data: text('data'), project: text('project'), hidden: values.hidden === true, otlpPorts };
}
