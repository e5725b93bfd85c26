/** First check of destination addresses from users, by syntax. The resolved address is checked at each request (outbound.ts). */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const charsMax = 2048;
const ports = new Set(['', '443', '8443']);
/** Names that some resolvers map to this machine or to its network. */
const internalNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|onion|test|invalid|example)$/;
/** Strict syntax of a URL. The parser accepts more: line breaks, backslashes, full stops of other scripts. */
const strictUrl = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\][\x21-\x5b\x5d-\x7e]*$/i;

export interface Destination {
  url: URL;
  /** Without the brackets of IPv6. */
  host: string;
  /** The deployment itself named this origin: it may be plain http, at any port, and inside our own network. */
  isTrusted: boolean;
}

interface InvalidDestination {
  problem: string;
}

/** @param trusted origins, as `URL.origin` writes them */
export function readDestination(text: string, trusted: ReadonlySet<string>): Destination | InvalidDestination {
  if (text.length > charsMax) return { problem: `must not be longer than ${charsMax} characters` };
  if (!strictUrl.test(text) || !URL.canParse(text)) return { problem: 'must be an absolute URL, in ASCII and without white space' };
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isTrusted = trusted.has(url.origin);
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@')) return { problem: 'must not contain credentials' };
  if (isTrusted) return { url, host, isTrusted };
  if (url.protocol !== 'https:') return { problem: 'must begin with https://' };
  if (!ports.has(url.port)) return { problem: 'must use port 443 or 8443' };
  return isReachable(host, text) ? { url, host, isTrusted } : { problem: 'must be a host on the public internet' };
}

function isReachable(host: string, text: string): boolean {
  // An address in a noncanonical spelling (octal, one number, IPv6 with zeros) is an attempt to bypass a filter.
  if (isIP(host) !== 0) return isPublicAddress(host) && hostAsWritten(text) === host;
  return host.includes('.') && !host.endsWith('.') && !internalNames.test(host) && hostAsWritten(text).toLowerCase() === host;
}

const authorityOf = (text: string): string => /^[^:]*:\/*([^/?#]*)/.exec(text)?.[1] ?? '';

const hostAsWritten = (text: string): string =>
  authorityOf(text)
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '');
