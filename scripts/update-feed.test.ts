import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { folderFaults, servedFaults } from './update-feed.ts';

let folder: string;
let server: Server | undefined;

/** As electron-builder writes them. */
function writeRelease(version: string): void {
  const systems = {
    'latest.yml': 'Setup.exe',
    'latest-mac.yml': 'mac.zip',
    'latest-linux.yml': 'x.AppImage',
    'latest-linux-arm64.yml': 'arm64.AppImage',
  };
  for (const [name, url] of Object.entries(systems)) {
    const content = Buffer.from(`${url} of ${version}`);
    writeFileSync(join(folder, url), content);
    const files = [{ url, sha512: createHash('sha512').update(content).digest('base64'), size: content.length }];
    writeFileSync(join(folder, name), stringify({ version, files, releaseDate: '2026-11-01T00:00:00.000Z' }));
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-updates-'));
  writeRelease('1.2.3');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  server?.close();
  server = undefined;
});

test('a folder is right when every system has a list of this version, and every file has its hash', async () => {
  expect(await folderFaults(folder, '1.2.3')).toEqual([]);
  writeFileSync(join(folder, 'mac.zip'), 'mac.zip of 9.9.9');
  rmSync(join(folder, 'x.AppImage'));
  rmSync(join(folder, 'latest.yml'));
  expect(await folderFaults(folder, '1.2.4')).toEqual([
    'latest.yml is missing',
    'latest-linux-arm64.yml names version 1.2.3, not 1.2.4',
    'latest-linux.yml names version 1.2.3, not 1.2.4',
    'latest-linux.yml: x.AppImage is missing',
    'latest-mac.yml names version 1.2.3, not 1.2.4',
    'latest-mac.yml: mac.zip has another hash',
  ]);
});

test('an address is right when it serves the same lists, and files of the same size', async () => {
  const served = new Map(
    ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml', 'Setup.exe', 'mac.zip', 'arm64.AppImage'].map((name) => [
      name,
      readFileSync(join(folder, name)),
    ]),
  );
  server = createServer((request, response) => {
    const body = served.get(String(request.url).replace('/updates/', ''));
    response.writeHead(body ? 200 : 404, { 'content-length': body?.length ?? 0 }).end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates`;
  expect(await servedFaults(folder, url)).toEqual(['x.AppImage is answered with 404']);
  served.set('x.AppImage', readFileSync(join(folder, 'x.AppImage')));
  served.set('latest.yml', Buffer.from('version: 1.2.2\nfiles: []\n'));
  served.set('mac.zip', Buffer.from('half'));
  expect(await servedFaults(folder, `${url}/`)).toEqual(['mac.zip is served with another size', 'latest.yml is served with other content']);
});
