import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { ClientAddresses } from './client-addresses.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

const strangers = new ClientAddresses();
const behind = new ClientAddresses(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);

it('nobody is believed who is no proxy of ours', () => {
  expect(strangers.of(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
  expect(strangers.of(from('127.0.0.1', '203.0.113.9'))).toBe('127.0.0.1');
  expect(behind.of(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
});

it.each([
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
  ['fd00::1', '2001:db8::1', '2001:db8::1'],
  ['127.0.0.1', '203.0.113.9, 10.2.3.4', '203.0.113.9'],
  ['127.0.0.1', '127.0.0.1, 6.6.6.6, 203.0.113.9,10.2.3.4', '203.0.113.9'],
])('a proxy at %s that was told %s came from %s', (proxy, forwarded, expected) => {
  expect(behind.of(from(proxy, forwarded))).toBe(expected);
});

it.each([undefined, '', 'unknown', '203.0.113.9:1234', '203.0.113.9, nonsense', ','])(
  'a proxy that says %j is all there is',
  (forwarded) => {
    expect(behind.of(from('127.0.0.1', forwarded))).toBe('127.0.0.1');
  },
);

it('a chain of nothing but proxies ends with the first of them, and a connection that has gone is from nowhere', () => {
  expect(behind.of(from('127.0.0.1', '10.9.9.9, 10.2.3.4'))).toBe('10.9.9.9');
  expect(behind.of(from(undefined, '203.0.113.9'))).toBe(null);
});

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', 'fd00::/129', ''])('%j is no proxy', (proxy) => {
  expect(() => new ClientAddresses([proxy])).toThrow(`${proxy} is no address`);
});
