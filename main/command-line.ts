import { parseArgs } from 'node:util';

export interface CommandLine {
  port: number;
  data: string | undefined;
  project: string | undefined;
}

const portDefault = 9418;

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port takes a number from 0 to 65535, not '${text}'.`);
  return port;
}

/** The options of `npm run gateway`. Chromium's own switches come along in argv and are none of our business: not strict. */
export function commandLine(argv: string[]): CommandLine {
  const options = { port: { type: 'string' }, data: { type: 'string' }, project: { type: 'string' } } as const;
  const { values } = parseArgs({ args: argv, options, strict: false, allowPositionals: true });
  const text = (name: keyof typeof options) => {
    const value = values[name];
    if (value === true) throw new Error(`--${name} takes a value.`);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const port = text('port');
  return { port: port === undefined ? portDefault : portOf(port), data: text('data'), project: text('project') };
}
