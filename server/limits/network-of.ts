import { isIPv6 } from 'node:net';

/** Who has one IPv6 address has as many as they like: 2^72 share a /56, which is what a provider gives one customer. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const groups = ip.split('::')[0]?.split(':') ?? [];
  const [a = '0', b = '0', c = '0', d = '0'] = groups;
  return [a, b, c, (Number.parseInt(d, 16) >> 8).toString(16)].join(':');
}
