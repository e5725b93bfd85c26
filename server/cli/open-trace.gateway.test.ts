/** `glasshouse open` with every hostile address for its trace: the browser is started with the gateway's own address or not at all. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hostileAddresses } from '../../e2e/hostile-addresses.ts';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { traceLink } from '../reports/links.ts';
import { CommandError } from './command.ts';
import { openTrace } from './open-trace.ts';

let gateway: TestGateway;
let folder: string;
let log: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-open-'));
  log = join(folder, 'opened');
  const browser = join(folder, 'browser.sh');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\n`, { mode: 0o700 });
  vi.stubEnv('BROWSER', browser);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

it('starts no browser for anything that is not a trace of the gateway, and prints no address', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const port = String(gateway.port);
  try {
    for (const address of [...hostileAddresses, '..', '../../health', '', '\u0000']) {
      await expect(openTrace.execute({ port }, [address]), address).rejects.toBeInstanceOf(CommandError);
      await expect(openTrace.execute({ port: address }, ['x']), address).rejects.toBeInstanceOf(CommandError);
    }
    expect(printed).not.toHaveBeenCalled();
    expect(existsSync(log)).toBe(false);
    // For a real trace the browser is started, which shows that the check above is not vacuous.
    const traceId = aTraceId();
    await gateway.ingest(aRequest([aSpan({ traceId, name: hostileAddresses[0] ?? '' })]));
    await openTrace.execute({ port }, [traceId]);
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe(`${gateway.url}/#/traces/${traceId}\n`);
  } finally {
    printed.mockRestore();
  }
});

it('the link points to the gateway and nowhere else, whatever the id of the trace', () => {
  const { origin } = new URL(gateway.url);
  for (const id of [...hostileAddresses, '..', '@attacker.example', '\ud800']) {
    const link = new URL(traceLink(gateway.url, id));
    expect([link.origin, link.pathname, link.search, link.username]).toEqual([origin, '/', '', '']);
  }
});
