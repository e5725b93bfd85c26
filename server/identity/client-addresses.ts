import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** IPv4 in the clothes of IPv6 is IPv4. */
export const plainAddress = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Where requests come from. Behind proxies that is what the last of them says, who was told by the one before, as far as these are ours;
 * whatever stands before them in `X-Forwarded-For` is the word of strangers.
 */
export class ClientAddresses {
  readonly #proxies = new BlockList();

  /**
   * @param proxies addresses, or networks such as `10.0.0.0/8`
   * @throws Error naming the one that is neither
   */
  constructor(proxies: readonly string[] = []) {
    for (const proxy of proxies) {
      const [address = '', bits, more] = proxy.split('/');
      const most = familyOf(address) === 'ipv6' ? 128 : 32;
      const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
      if (isIP(address) === 0 || !isPrefix || more !== undefined) throw new Error(`${proxy} is no address and no network`);
      this.#proxies.addSubnet(address, Number(bits ?? most), familyOf(address));
    }
  }

  /** Whether a connection from there is that of a proxy, and may be anybody's. */
  isProxy(remoteAddress: string): boolean {
    const address = plainAddress(remoteAddress);
    return this.#proxies.check(address, familyOf(address));
  }

  /** Null when the connection has gone already. */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | null {
    if (socket.remoteAddress === undefined) return null;
    let address = plainAddress(socket.remoteAddress);
    const told = String(headers['x-forwarded-for'] ?? '').split(',');
    while (this.#proxies.check(address, familyOf(address))) {
      const before = plainAddress(told.pop() ?? '');
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  }
}
