import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { listeningInodes, portOwner } from './port-owner.ts';

test('the program that listens is named, where the system reveals it', async ({ skip }) => {
  if (process.platform !== 'linux') skip('asks lsof or PowerShell elsewhere, which may be missing');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await portOwner(port)).toBe(basename(process.execPath));
  server.close();
  await once(server, 'close');
  expect(await portOwner(port)).toBeNull();
});

test('a system that does not reveal it is no error', async () => expect(await portOwner(1, 'aix')).toBeNull());

test('only sockets that listen on that very port count', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:24CA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100',
    '   1: 0100007F:24CA 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0 100',
    '   2: 0100007F:24CB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0 100',
  ].join('\n');
  expect(listeningInodes(table, 9418)).toEqual(['111']);
});
