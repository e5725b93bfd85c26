/** Where the gateway is: what the command line says, else the environment, else the usual port of this machine. */
import { textOf, usage, type Values } from './command.ts';
import { printable } from './terminal.ts';

const ofPort = (port: number): string => `http://127.0.0.1:${port}`;
const usual = ofPort(9418);

export const addressOptions = { url: { type: 'string' }, port: { type: 'string' } } as const;

/** For the help of a command. */
export const addressHelp = `  --url URL      where the gateway is (GLASSHOUSE_URL, else ${usual})
  --port PORT    the same for a gateway of this machine, by its port`;

/** Without a slash at its end. @throws CommandError for what is no address */
export function addressOf(values: Values, environment: NodeJS.ProcessEnv = process.env): string {
  return givenAddress(values, environment) ?? usual;
}

/** As addressOf, undefined when nobody said. */
export function givenAddress(values: Values, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const [url, port] = [textOf(values, 'url'), textOf(values, 'port')];
  if (url !== undefined && port !== undefined) usage('Say once where the gateway is: with --url or with --port.');
  if (url !== undefined) return checked('--url', url);
  if (port !== undefined) return ofPort(portOf(port));
  const told = environment['GLASSHOUSE_URL'];
  return told === undefined || told === '' ? undefined : checked('GLASSHOUSE_URL', told);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) usage('--port must be a number from 1 to 65535');
  return port;
}

function checked(source: string, text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain) return usage(`${source} must be an http or https address, such as ${usual}. It is ${printable(text, 200)}`);
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
