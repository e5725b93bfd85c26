import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { ClientAddresses } from './client-addresses.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

const withoutProxies = new ClientAddresses();
const behindProxies = new ClientAddresses(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);

it('the forwarded address is ignored unless the peer is one of our proxies', () => {
  expect(withoutProxies.of(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
  expect(withoutProxies.of(from('127.0.0.1', '203.0.113.9'))).toBe('127.0.0.1');
  expect(behindProxies.of(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
});

it.each([
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
  ['fd00::1', '2001:db8::1', '2001:db8::1'],
  ['127.0.0.1', '203.0.113.9, 10.2.3.4', '203.0.113.9'],
  ['127.0.0.1', '127.0.0.1, 6.6.6.6, 203.0.113.9,10.2.3.4', '203.0.113.9'],
])('a request through the proxy at %s with X-Forwarded-For %s comes from %s', (proxy, forwarded, expected) => {
  expect(behindProxies.of(from(proxy, forwarded))).toBe(expected);
});

it.each([undefined, '', 'unknown', '203.0.113.9:1234', '203.0.113.9, nonsense', ','])(
  'a proxy that sends %j counts as the client',
  (forwarded) => {
    expect(behindProxies.of(from('127.0.0.1', forwarded))).toBe('127.0.0.1');
  },
);

it('in a chain of proxies only, the first one counts as the client, and a closed connection has no address', () => {
  expect(behindProxies.of(from('127.0.0.1', '10.9.9.9, 10.2.3.4'))).toBe('10.9.9.9');
  expect(behindProxies.of(from(undefined, '203.0.113.9'))).toBe(null);
});

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', 'fd00::/129', ''])('%j is refused as a proxy', (proxy) => {
  expect(() => new ClientAddresses([proxy])).toThrow(`${proxy} is neither an address`);
});
