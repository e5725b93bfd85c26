/**
 * Public internet addresses. All others are reachable only from inside, and users must not direct requests there: this machine, its
 * networks, services of its operator. Addresses that embed another one (mapped, NAT64, 6to4, Teredo) count as forbidden. Source: IANA's
 * registries of special-purpose addresses, 2025.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';

const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Metadata and credential services of clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform services answer its virtual machines here, outside its private network.
  '168.63.129.16/32',
];

/** Outside 2000::/3 nothing is public, and inside of it these are not. */
const notPublic6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};

/** One list for each family: a joint list would match every IPv4 address by its mapped IPv6 form. */
const notPublic = { ipv4: listOf(notPublic4, 'ipv4'), ipv6: listOf(notPublic6, 'ipv6') } as const;

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Forbidden addresses of the same family. */
export const blockListFor = (address: string): BlockList => notPublic[familyOf(address)];

/** @param address as the system writes it; a name, or an address with a zone, is not public */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  return !blockListFor(address).check(address, familyOf(address));
}
