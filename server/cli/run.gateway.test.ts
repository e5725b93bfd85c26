import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, startCli } from '../fixtures/cli-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

let gateway: TestGateway;
let folder: string;
let here: string[];

beforeAll(async () => {
  gateway = await startTestGateway();
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-cli-'));
  here = ['--port', String(gateway.port)];
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

const node = (program: string) => ['--', process.execPath, '--input-type=module', '-e', program];

/** An application with the OpenTelemetry SDK and no exporter settings. */
const tracedProgram = `
  import { trace } from '@opentelemetry/api';
  import { NodeSDK } from '@opentelemetry/sdk-node';
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  trace.getTracer('app').startSpan('answer').end();
  await sdk.shutdown();
`;

describe('glasshouse run', () => {
  it('receives the spans of a program with the OpenTelemetry SDK, marks them with the run, and prints a link to them', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://elsewhere.example', OTEL_RESOURCE_ATTRIBUTES: 'team=owls' };
    const { code, stderr, stdout } = await cli(['run', ...here, '--name', 'try, one=2', ...node(tracedProgram)], { env });
    expect([code, stdout]).toEqual([0, '']);
    const traceId = /1 trace: http:\/\/127\.0\.0\.1:\d+\/#\/traces\/([0-9a-f]{32})/.exec(stderr)?.[1];
    expect(traceId, stderr).toBeDefined();
    const { data } = await gateway.client.spans.ofTrace({ params: { traceId: traceId as string } });
    expect(data.map(({ name }) => name)).toEqual(['answer']);
    const raw = await gateway.client.viewer.rawSpan({ params: { traceId: traceId as string, spanId: data[0]?.id as string } });
    expect(JSON.stringify(raw.data.resource)).toContain('{"key":"team","value":{"stringValue":"owls"}}');
    expect(JSON.stringify(raw.data.resource)).toContain('{"stringValue":"try, one=2"}');
  });

  it('keeps two runs apart', async () => {
    const ends = await Promise.all([cli(['run', ...here, ...node(tracedProgram)]), cli(['run', ...here, ...node(tracedProgram)])]);
    const ids = ends.map(({ stderr }) => /1 trace: .*\/([0-9a-f]{32})/.exec(stderr)?.[1]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });

  it('gives the program its own stdout and an environment without keys of other backends', async () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer secret',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=secret',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://elsewhere.example/v1/traces',
    };
    const printEnvironment = 'process.stdout.write(JSON.stringify(process.env))';
    const { stdout } = await cli(['run', ...here, ...node(printEnvironment)], { env });
    const environment = JSON.parse(stdout) as Record<string, string>;
    expect(Object.entries(environment).filter(([name, value]) => name.startsWith('OTEL_') && /secret|elsewhere/.test(value))).toEqual([]);
    expect(environment).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: gateway.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${gateway.url}/v1/traces`,
      GLASSHOUSE_RUN_ID: expect.stringMatching(/^run-[0-9a-f]{12}$/),
    });
  });

  it('passes the arguments on unchanged and ends with the exit code of its program', async () => {
    const argv = 'process.stdout.write(JSON.stringify(process.argv.slice(1))); process.exitCode = 7';
    const { code, stdout, stderr } = await cli(['run', ...here, ...node(argv), '--', '--port', '$HOME; echo', '']);
    expect([code, JSON.parse(stdout)]).toEqual([7, ['--port', '$HOME; echo', '']]);
    expect(stderr).toContain('no trace arrived during this run');
  });

  it('forwards a signal, and ends as the program decides', async () => {
    const handlesSignal = "process.on('SIGTERM', () => process.exit(42)); console.log('up'); setInterval(() => {}, 1000)";
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const command = startCli(['run', ...here, ...node(handlesSignal.replaceAll('SIGTERM', signal))]);
      await command.said('up');
      command.child.kill(signal);
      expect(await command.ended).toMatchObject({ code: 42, signal: null });
    }
  });

  it('dies of the signal that its program died of', async () => {
    const command = startCli(['run', ...here, ...node("console.log('up'); setInterval(() => {}, 1000)")]);
    await command.said('up');
    command.child.kill('SIGTERM');
    expect(await command.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('has exit codes that tell a program that cannot be started from one that failed', async () => {
    expect((await cli(['run', ...here, '--', 'no-such-program-anywhere'])).code).toBe(127);
    const file = join(folder, 'not-a-program');
    writeFileSync(file, 'text', { mode: 0o600 });
    expect((await cli(['run', ...here, '--', file])).code).toBe(126);
    expect((await cli(['run', ...here])).code).toBe(2);
  });

  it('does not run a program when its port belongs to another program', async () => {
    const other = createServer((_, response) => response.end('{"hello":"world"}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const { code, stderr } = await cli(['run', '--port', port, '--', process.execPath, '-e', 'process.exit(9)']);
    expect(code).toBe(125);
    expect(stderr).toContain('is not a local gateway');
    other.close();
  });

  it('starts a gateway where none answers, which keeps running with the received spans', async () => {
    const port = String(await freePort());
    const nobody = await cli(['run', '--port', port, '--no-start', ...node(tracedProgram)]);
    expect(nobody.code).toBe(125);
    const dataDir = join(folder, 'data');
    const { code, stderr } = await cli(['run', '--port', port, '--data', dataDir, '--project', folder, ...node(tracedProgram)]);
    const pid = Number(/process (\d+)/.exec(stderr)?.[1]);
    try {
      expect(code).toBe(0);
      const link = /1 trace: (http:\/\/\S+)\/#\/traces\/([0-9a-f]{32})/.exec(stderr);
      expect((await fetch(`${link?.[1]}/v1/traces/${link?.[2]}`)).status).toBe(200);
    } finally {
      process.kill(pid);
    }
  });

  it('starts no second gateway on a data folder in use, and names the first one', async () => {
    const args = ['run', '--port', String(await freePort()), '--data', gateway.dataDir, '--', process.execPath, '-e', ''];
    const { code, stderr } = await cli(args);
    expect(code).toBe(125);
    expect(stderr).toContain(`glasshouse: The data folder ${gateway.dataDir} is in use by the local gateway (process ${process.pid} on `);
    expect(stderr).toContain(`open http://localhost:${gateway.port}, or choose another folder with --data.\n`);
  });

  it('says why a gateway did not start', async () => {
    const start = (...options: string[]) =>
      freePort().then((port) => cli(['run', '--port', String(port), ...options, '--', process.execPath]));
    const project = await start('--data', join(folder, 'unused'), '--project', '/nowhere/at/all');
    expect([project.code, project.stderr]).toEqual([
      125,
      expect.stringContaining('did not start: There is no folder /nowhere/at/all; name another'),
    ]);
    writeFileSync(join(folder, 'a-file'), '');
    const data = await start('--data', join(folder, 'a-file'));
    expect([data.code, data.stderr]).toEqual([125, expect.stringMatching(/^glasshouse: .*a-file[^\n]*\n$/)]);
  });

  it('starts the app that installed it, without a window, and says when that app is missing', async () => {
    const port = String(await freePort());
    const app = join(folder, 'app.sh');
    const entry = join(import.meta.dirname, '../entry/gateway.ts');
    writeFileSync(app, `#!/bin/sh\n[ "$1" = --hidden ] && shift && exec '${process.execPath}' '${entry}' "$@"\n`, { mode: 0o700 });
    const args = ['run', '--port', port, '--data', join(folder, 'app-data'), '--project', folder, ...node('0')];
    const { code, stderr } = await cli(args, { env: { GLASSHOUSE_APP: app } });
    process.kill(Number(/process (\d+)/.exec(stderr)?.[1]));
    expect(code).toBe(0);
    const other = ['--data', join(folder, 'other-data'), '--project', folder, ...node('0')];
    const missing = await cli(['run', '--port', String(await freePort()), ...other], {
      env: { GLASSHOUSE_APP: join(folder, 'none') },
    });
    expect([missing.code, missing.stderr]).toEqual([125, `glasshouse: ${join(folder, 'none')} cannot be started.\n`]);
  });
});
