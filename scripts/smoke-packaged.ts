/**
 * `npm run smoke -- APP`: starts a packaged app as a user would, on a data folder of its own, sends a span, reads the trace, loads the
 * page, and checks that the trace is still there after a restart. APP is the program: `out/dist/linux-unpacked/glasshouse-desktop`,
 * `Glasshouse.exe`, or `Glasshouse.app/Contents/MacOS/Glasshouse`. On Linux it needs a display (`xvfb-run`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const [program] = process.argv.slice(2);
if (program === undefined || !existsSync(program)) {
  process.stderr.write(`Name the packaged program: npm run smoke -- out/dist/linux-unpacked/glasshouse-desktop\n`);
  process.exit(2);
}

const startMs = 30_000;
const traceId = '5'.repeat(32);
const span = {
  traceId,
  spanId: '5'.repeat(16),
  name: 'smoke',
  startTimeUnixNano: `${Date.now()}000000`,
  endTimeUnixNano: `${Date.now()}500000`,
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-smoke-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;

async function start(path: string) {
  const app = spawn(path, ['--port', String(port), '--data', dataDir, '--project', dataDir], { stdio: 'inherit' });
  const exited = once(app, 'exit').then(() => 'exited' as const);
  for (const giveUpAt = Date.now() + startMs; Date.now() < giveUpAt; ) {
    const response = await Promise.race([fetch(`${url}/health`).catch(() => null), exited]);
    if (response === 'exited') throw new Error('The app exited before its gateway answered');
    if (response?.ok) return { app, exited };
    await after(100);
  }
  app.kill();
  throw new Error(`The gateway did not answer within ${startMs / 1000} s`);
}

async function expectStatus(what: string, response: Promise<Response>): Promise<void> {
  const { status } = await response;
  if (status !== 200) throw new Error(`${what}: HTTP ${status}`);
  process.stdout.write(`ok ${what}\n`);
}

const read = () => fetch(`${url}/v1/traces/${traceId}`);

try {
  const first = await start(program);
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  await expectStatus(
    'a span is accepted',
    fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  );
  await expectStatus('its trace is read', read());
  await expectStatus('the page is served', fetch(url));
  first.app.kill();
  await first.exited;
  const second = await start(program);
  await expectStatus('the trace is there after a restart', read());
  second.app.kill();
  await second.exited;
} finally {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
