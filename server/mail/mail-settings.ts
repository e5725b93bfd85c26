/** Settings of e-mail: both or none. */
import type { ConnectionOptions } from 'node:tls';
import { isMailAddress } from './mailer.ts';

/** TLS from the start, or after STARTTLS, or only after STARTTLS if the server offers that. */
type MailSecurity = 'tls' | 'starttls' | 'optional';

export interface MailSettings {
  host: string;
  port: number;
  security: MailSecurity;
  login: { user: string; pass: string } | null;
  from: { name: string; address: string };
  /** Of the connection; the certificates that Node trusts by default. */
  tls?: ConnectionOptions;
}

/** Names of the variables. */
export const mailVariables = ['GLASSHOUSE_SMTP_URL', 'GLASSHOUSE_MAIL_FROM'] as const;

const submissionPort = 587;
const tlsPort = 465;

/**
 * Null when no e-mail is set up.
 * @param variables with the content of secret files
 * @throws Error with a sentence, which never repeats the password
 */
export function readMailSettings(variables: Record<string, string | undefined>): MailSettings | null {
  const { GLASSHOUSE_SMTP_URL: url, GLASSHOUSE_MAIL_FROM: from, GLASSHOUSE_PUBLIC_URL: publicUrl } = variables;
  if (!url && !from) return null;
  if (!url || !from) throw new Error('GLASSHOUSE_SMTP_URL and GLASSHOUSE_MAIL_FROM belong together: set both of them or none');
  // The address of a request is no base for a link with a code: whoever sends the request chooses it.
  if (!publicUrl) throw new Error('GLASSHOUSE_SMTP_URL needs GLASSHOUSE_PUBLIC_URL: the links in e-mails begin with it');
  return { ...readServer(url), from: readSender(from) };
}

const serverForm = 'must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host if the server wants them';
const withoutTls = '?tls=optional';

function readServer(text: string): Pick<MailSettings, 'host' | 'port' | 'security' | 'login'> {
  const url = URL.parse(text);
  const isServer = url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname) && !url.hash;
  if (!isServer || (url.username === '') !== (url.password === '') || !['', withoutTls].includes(url.search))
    throw new Error(`GLASSHOUSE_SMTP_URL ${serverForm}`);
  const login = url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) };
  const security = securityOf(url, login !== null);
  return {
    host: hostOf(url),
    port: url.port === '' ? (security === 'tls' ? tlsPort : submissionPort) : Number(url.port),
    ...{ security, login },
  };
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Nobody reads along within the machine. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

function securityOf(url: URL, hasLogin: boolean): MailSecurity {
  const isOptional = url.search === withoutTls;
  if (isOptional && (hasLogin || url.protocol === 'smtps:'))
    throw new Error(`GLASSHOUSE_SMTP_URL cannot end with ${withoutTls} with smtps:, or with a password, which is sent over TLS only`);
  if (url.protocol === 'smtps:') return 'tls';
  return isOptional || (!hasLogin && isLoopback(hostOf(url))) ? 'optional' : 'starttls';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('GLASSHOUSE_SMTP_URL has a user or a password with a % that must be written %25');
  }
}

function readSender(text: string): MailSettings['from'] {
  const { name = '', address = text.trim() } = /^(?<name>[^<>"\p{C}]*)<(?<address>[^<>]*)>\s*$/u.exec(text)?.groups ?? {};
  if (!isMailAddress(address))
    throw new Error('GLASSHOUSE_MAIL_FROM must be an address, such as glasshouse@example.com or Glasshouse <glasshouse@example.com>');
  return { name: name.trim(), address };
}
