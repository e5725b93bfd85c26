import { isIPv6 } from 'node:net';

/** A provider gives one customer a /56 of IPv6, 2^72 addresses, which count as one network. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const groups = ip.split('::')[0]?.split(':') ?? [];
  const [a = '0', b = '0', c = '0', d = '0'] = groups;
  return [a, b, c, (Number.parseInt(d, 16) >> 8).toString(16)].join(':');
}
