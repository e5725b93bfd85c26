/** A page of another site links to the local viewer, in a real browser: the link opens it, and every other request is refused. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';

const executablePath = systemChromium();
const args = ['--host-resolver-rules=MAP docs.test 127.0.0.1'];
test.use({ launchOptions: executablePath === undefined ? { args } : { args, executablePath } });

let gateway: TestGateway;
let web: Server;
let webPort: number;
test.beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest([aSpan({ name: 'what only its owner sees' })]));
  const link = `<a href="${gateway.url.replace('127.0.0.1', 'localhost')}/">the traces</a>`;
  web = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>docs</title>${link}`));
  web.listen(0);
  webPort = (web.address() as AddressInfo).port;
});
test.afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await gateway.stop();
});

/** Runs an action in the page. @returns the status of the gateway's response to it */
async function statusOf(page: Page, path: string, action: () => Promise<unknown>): Promise<number | null> {
  const response = page.waitForResponse((candidate) => candidate.url() === `http://localhost:${gateway.port}${path}`);
  await action();
  return (await response).status();
}

// Another site, and another port of this machine, which browsers treat as the same site.
for (const site of ['docs.test', 'localhost']) {
  test.describe(`a page of ${site}`, () => {
    test.beforeEach(({ page }) => page.goto(`http://${site}:${webPort}/`));

    test('opens the viewer by a link', async ({ page }) => {
      await page.getByRole('link', { name: 'the traces' }).click();
      await expect(page.getByText('what only its owner sees').first()).toBeVisible();
    });

    test('cannot embed the viewer in a frame', async ({ page }) => {
      const url = `http://localhost:${gateway.port}/`;
      const frame = (src: string) => {
        const element = document.createElement('iframe');
        element.src = src;
        document.body.append(element);
      };
      expect(await statusOf(page, '/', () => page.evaluate(frame, url))).toBe(403);
      for (const shown of page.frames()) expect(await shown.content()).not.toContain('what only its owner sees');
    });

    test('cannot fetch the viewer or the API, and the gateway reads nothing for it', async ({ page }) => {
      for (const path of ['/', '/v1/traces', '/v1/viewer/traces?limit=1000&contains=x']) {
        const fetchOpaque = (url: string) => fetch(url, { mode: 'no-cors' }).catch(() => null);
        expect(await statusOf(page, path, () => page.evaluate(fetchOpaque, `http://localhost:${gateway.port}${path}`))).toBe(403);
      }
    });

    test('cannot navigate to a response of the API', async ({ page }) => {
      const go = (url: string) => location.assign(url);
      expect(await statusOf(page, '/v1/traces', () => page.evaluate(go, `http://localhost:${gateway.port}/v1/traces`))).toBe(403);
    });
  });
}
