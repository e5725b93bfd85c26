import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

const script = 'export const greeting = "hello";\n'.repeat(100);
const page = '<!doctype html><title>a viewer</title>';
let viewerDir: string;
let gateway: TestGateway;

beforeAll(async () => {
  viewerDir = mkdtempSync(join(tmpdir(), 'glasshouse-viewer-'));
  mkdirSync(join(viewerDir, 'assets'));
  writeFileSync(join(viewerDir, 'index.html'), page);
  writeFileSync(join(viewerDir, 'assets/app-1a2b.js'), script);
  writeFileSync(join(viewerDir, 'assets/app-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(join(viewerDir, 'assets/app-1a2b.js.gz'), gzipSync(script));
  writeFileSync(join(viewerDir, 'assets/small-3c4d.css'), 'p { margin: 0 }');
  gateway = await startTestGateway({ viewerDir });
});

afterAll(async () => {
  await gateway.stop();
  rmSync(viewerDir, { recursive: true });
});

/** The answer as sent: `fetch` would decode it. */
function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const clientRequest = request(gateway.url + path, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, body });
    });
    clientRequest.once('error', reject).end();
  });
}

const app = '/assets/app-1a2b.js';

describe('a file of the viewer', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
    [undefined, 'identity', (body: Buffer) => body],
    [undefined, '', (body: Buffer) => body],
  ])('comes in the coding %s to a client that accepts "%s"', async (coding, accepted, decoded) => {
    const { status, headers, body } = await get(app, { 'Accept-Encoding': accepted });
    expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, coding, 'Accept-Encoding']);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(decoded(body).toString()).toBe(script);
  });

  it('comes uncompressed when the build has no compressed copy', async () => {
    const { headers, body } = await get('/assets/small-3c4d.css', { 'Accept-Encoding': 'br' });
    expect([headers['content-encoding'], headers['content-type'], body.toString()]).toEqual([
      undefined,
      'text/css; charset=utf-8',
      'p { margin: 0 }',
    ]);
  });

  it('with a hash in its name is cached for good; the page is revalidated each time, and answered 304 when unchanged', async () => {
    expect((await get(app)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const { headers, body } = await get('/');
    expect([headers['cache-control'], body.toString()]).toEqual(['no-cache', page]);
    const again = await get('/', { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('has another ETag in each coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) => (await get(app, { 'Accept-Encoding': coding })).headers['etag']),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it.each([`${app}.br`, `${app}.gz`, '/assets/app-9z9z.js', '/assets'])('is not served at %s', async (path) => {
    const { status, headers } = await get(path, { 'Accept-Encoding': 'br' });
    expect(status).toBe(404);
    expect(headers['cache-control']).not.toContain('immutable');
  });
});
