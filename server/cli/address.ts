/** The address of the gateway: from the command line, else the environment, else the default port of this machine. */
import { textOf, usage, type Values } from './command.ts';
import { printable } from './terminal.ts';

const localAddress = (port: number): string => `http://127.0.0.1:${port}`;
const defaultAddress = localAddress(9418);

export const addressOptions = { url: { type: 'string' }, port: { type: 'string' } } as const;

/** For the help of a command. */
export const addressHelp = `  --url URL      address of the gateway (GLASSHOUSE_URL, else ${defaultAddress})
  --port PORT    port of a gateway on this machine, instead of --url`;

/** Without a trailing slash. @throws CommandError for an invalid address */
export function addressOf(values: Values, environment: NodeJS.ProcessEnv = process.env): string {
  return configuredAddress(values, environment) ?? defaultAddress;
}

/** Like addressOf, but undefined when no address is configured. */
export function configuredAddress(values: Values, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const [url, port] = [textOf(values, 'url'), textOf(values, 'port')];
  if (url !== undefined && port !== undefined) usage('Give the address only once: with --url or with --port.');
  if (url !== undefined) return validAddress('--url', url);
  if (port !== undefined) return localAddress(portOf(port));
  const variable = environment['GLASSHOUSE_URL'];
  return variable === undefined || variable === '' ? undefined : validAddress('GLASSHOUSE_URL', variable);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) usage('--port must be a number from 1 to 65535');
  return port;
}

function validAddress(source: string, text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain) return usage(`${source} must be an http or https address, such as ${defaultAddress}. It is ${printable(text, 200)}`);
  return text.replace(/\/+$/, '');
}

/** The port of an address on this machine that a gateway can be started at; null for any other address. */
export function localPortOf(address: string): number | null {
  const { protocol, hostname, port, pathname } = new URL(address);
  const isLocal = protocol === 'http:' && pathname === '/' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return isLocal ? Number(port || 80) : null;
}

/** `on port 9418`, or `at https://…`. */
export function placeOf(address: string): string {
  const port = localPortOf(address);
  return port === null ? `at ${printable(address)}` : `on port ${port}`;
}
