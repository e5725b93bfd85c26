import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Converts IPv4-mapped IPv6 addresses to IPv4. */
export const plainAddress = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Client addresses of requests. Behind proxies it is the last address in `X-Forwarded-For` that one of our proxies reported; entries before
 * it are untrusted.
 */
export class ClientAddresses {
  readonly #proxies = new BlockList();

  /**
   * @param proxies addresses, or networks such as `10.0.0.0/8`
   * @throws Error naming an invalid entry
   */
  constructor(proxies: readonly string[] = []) {
    for (const proxy of proxies) {
      const [address = '', bits, more] = proxy.split('/');
      const bitsMax = familyOf(address) === 'ipv6' ? 128 : 32;
      const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
      if (isIP(address) === 0 || !isPrefix || more !== undefined) throw new Error(`${proxy} is neither an address nor a network`);
      this.#proxies.addSubnet(address, Number(bits ?? bitsMax), familyOf(address));
    }
  }

  /** Whether the connection comes from a proxy, so that its client is unknown. */
  isProxy(remoteAddress: string): boolean {
    const address = plainAddress(remoteAddress);
    return this.#proxies.check(address, familyOf(address));
  }

  /** Null when the connection is closed. */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | null {
    if (socket.remoteAddress === undefined) return null;
    let address = plainAddress(socket.remoteAddress);
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    while (this.#proxies.check(address, familyOf(address))) {
      const previous = plainAddress(forwarded.pop() ?? '');
      if (isIP(previous) === 0) break;
      address = previous;
    }
    return address;
  }
}
