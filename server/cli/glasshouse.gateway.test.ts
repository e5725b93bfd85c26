import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { cli, startCli } from '../fixtures/cli-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startRefusingCloud } from '../fixtures/refusing-cloud.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { newKeyValue } from '../identity/key-value.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

let gateway: TestGateway;
let other: TestGateway;
let folder: string;
let toGateway: string[];
let toOther: string[];

beforeAll(async () => {
  [gateway, other] = await Promise.all([startTestGateway(), startTestGateway()]);
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-cli-'));
  toGateway = ['--port', String(gateway.port)];
  toOther = ['--port', String(other.port)];
});
afterAll(async () => {
  await Promise.all([gateway.stop(), other.stop()]);
  rmSync(folder, { recursive: true });
});

/** Sets the title, clears the screen, reverses the text direction, and imitates another line. */
const hostile = 'a\u001b]0;owned\u0007\u001b[2J\u202egnp\u2028\r\nOK b';

async function aTrace(name = 'work', user = 'ann'): Promise<string> {
  const traceId = aTraceId();
  await gateway.ingest(aRequest([aSpan({ traceId, name, attributes: { 'user.id': user } })]));
  return traceId;
}

describe('glasshouse', () => {
  it('has help for every command, and refuses unknown commands and options', async () => {
    const { stdout } = await cli(['--help']);
    const commands = [...stdout.matchAll(/^ {2}glasshouse (\w+)/gm)].map(([, name]) => name as string);
    expect(commands).toEqual([
      ...[
        'start',
        'run',
        'connect',
        'open',
        'tail',
        'doctor',
        'export',
        'import',
        'traces',
        'search',
        'last',
        'show',
        'session',
        'errors',
        'compare',
        'cost',
        'spending',
        'budget',
      ],
      ...['delete', 'demo', 'mcp', 'skill', 'worker'],
    ]);
    const helps = await Promise.all(commands.map((name) => cli([name, '--help'])));
    for (const [index, help] of helps.entries()) {
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`glasshouse ${commands[index]}`);
    }
    const wrong = [
      ['fly'],
      ['tail', '--nope'],
      ['open'],
      ['export'],
      ['import'],
      ['delete'],
      ['delete', 'x', '--user', 'y'],
      ['tail', '--port', 'x'],
      ['constructor'],
    ];
    expect((await Promise.all(wrong.map((args) => cli(args)))).map(({ code }) => code)).toEqual(wrong.map(() => 2));
  });

  it('has an exit code of its own for when no gateway answers', async () => {
    const port = String(await freePort());
    for (const args of [['open', 'x'], ['tail'], ['export', 'x'], ['import', 'x']])
      expect(await cli([...args, '--port', port])).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`No gateway answers on port ${port}.`),
      });
  });
});

describe('the address of the gateway', () => {
  it('is that of the command line, else of GLASSHOUSE_URL, else the default', async () => {
    const traceId = await aTrace();
    const shown = async (args: string[], url?: string) => {
      const { code, stdout, stderr } = await cli(['open', traceId, '--print', ...args], { env: { GLASSHOUSE_URL: url } });
      return [code, code === 0 ? stdout : stderr];
    };
    const found = [0, `${gateway.url}/#/traces/${traceId}\n`];
    const [nobody, local] = [`http://127.0.0.1:${await freePort()}`, `http://localhost:${gateway.port}`];
    expect(await shown([], `${gateway.url}/`)).toEqual(found);
    expect(await shown([], local)).toEqual([0, `${local}/#/traces/${traceId}\n`]);
    expect(await shown(toGateway, nobody)).toEqual(found);
    expect(await shown(['--url', gateway.url], nobody)).toEqual(found);
    expect(await shown([], nobody)).toEqual([3, expect.stringContaining(`No gateway answers on port ${new URL(nobody).port}.`)]);
    expect(await shown(['--url', other.url], gateway.url)).toEqual([1, expect.stringContaining(traceId)]);
  });

  it('is refused in one sentence by every command that needs it when it is invalid', async () => {
    const commands = [
      ['run', '--', 'true'],
      ['open', 'x'],
      ['tail'],
      ['doctor'],
      ['export', 'x'],
      ['import', 'x'],
      ['worker', '--key', 'x'],
    ];
    for (const { code, stderr } of await Promise.all(commands.map((args) => cli(args, { env: { GLASSHOUSE_URL: 'nonsense' } })))) {
      expect(stderr).toMatch(/^glasshouse: GLASSHOUSE_URL must be an http or https address, such as .* It is nonsense\n$/);
      expect(code).toBe(2);
    }
    const flag = await cli(['tail', '--url', 'nonsense'], { env: { GLASSHOUSE_URL: gateway.url } });
    expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('--url must be an http or https address') });
    expect(await cli(['tail', '--url', gateway.url, ...toGateway])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only once'),
    });
  });

  it('never has a gateway started at it when it is on another machine', async () => {
    const elsewhere = `http://127.0.0.1:${await freePort()}/behind/a/path`;
    const ran = await cli(['run', '--', 'true'], { env: { GLASSHOUSE_URL: elsewhere } });
    expect(ran).toMatchObject({ code: 125, stderr: expect.stringContaining(`No gateway answers at ${elsewhere}`) });
  });

  it('is in the help of every command', async () => {
    const helps = await Promise.all(
      ['run', 'connect', 'open', 'tail', 'doctor', 'export', 'import', 'delete', 'demo', 'worker'].map((name) => cli([name, '--help'])),
    );
    for (const { stdout } of helps) expect(stdout).toMatch(/--url URL .*GLASSHOUSE_URL/);
  });
});

describe('glasshouse open', () => {
  it('opens the address of a trace in the browser, and of nothing else', async () => {
    const traceId = await aTrace();
    const log = join(folder, 'opened');
    const browser = join(folder, 'browser.sh');
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > ${log}.part; mv ${log}.part ${log}\n`, { mode: 0o700 });
    const { code, stdout } = await cli(['open', traceId, ...toGateway], { env: { BROWSER: browser } });
    expect([code, stdout]).toEqual([0, `${gateway.url}/#/traces/${traceId}\n`]);
    await expect.poll(() => statSync(log, { throwIfNoEntry: false })?.isFile()).toBe(true);
    expect(readFileSync(log, 'utf8')).toBe(`${gateway.url}/#/traces/${traceId}`);
    const unknown = await cli(['open', '$(touch x)', ...toGateway], { env: { BROWSER: browser } });
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('glasshouse tail', () => {
  it('prints new traces once, with hostile names escaped and no colours in a pipe', async () => {
    await aTrace('before');
    const tail = startCli(['tail', ...toGateway]);
    await tail.said('following');
    const traceId = await aTrace(hostile);
    await tail.said(traceId);
    tail.child.kill('SIGINT');
    const { code, stdout } = await tail.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toContain('a\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{202e}gnp\\u{2028}\\u{d}\\u{a}OK b');
    expect(stdout.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('prints colours where they are wanted, filters, and writes JSON', async () => {
    const coloured = startCli(['tail', ...toGateway], { env: { FORCE_COLOR: '1' } });
    const filtered = startCli(['tail', '--filter', 'user_id = wanted', '--json', ...toGateway]);
    await Promise.all([coloured.said('following'), filtered.said('following')]);
    await aTrace('unwanted');
    const traceId = await aTrace('wanted', 'wanted');
    await Promise.all([coloured.said(traceId), filtered.said(traceId)]);
    for (const { child } of [coloured, filtered]) child.kill('SIGINT');
    expect((await coloured.ended).stdout).toContain('\u001b[');
    const lines = (await filtered.ended).stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['wanted']);
    expect(await cli(['tail', '--filter', 'cost >', ...toGateway])).toMatchObject({ code: 1 });
  });
});

describe('glasshouse export and import', () => {
  it('carry a trace with its scores from one data folder to another', async () => {
    const traceId = await aTrace();
    await gateway.client.scores.create({ body: { resource_id: traceId, name: 'helpful', score: 1 } });
    const exported = await cli(['export', traceId, ...toGateway], { cwd: folder });
    expect(exported).toMatchObject({ code: 0, stdout: `trace-${traceId}.capsule\n` });
    const file = join(folder, `trace-${traceId}.capsule`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await cli(['import', file, ...toOther])).stdout).toContain('1 traces, 1 spans and 1 scores imported');
    expect((await cli(['import', file, ...toOther])).stdout).toContain(
      '0 spans and 0 scores imported; 1 spans and 1 scores were already stored',
    );
    expect((await other.client.scores.list({ query: { resource_id: traceId } })).data).toHaveLength(1);
    const before = readFileSync(file);
    expect(await cli(['export', traceId, ...toGateway], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--force'),
    });
    expect(readFileSync(file)).toEqual(before);
    expect(await cli(['export', traceId, '--force', ...toGateway], { cwd: folder })).toMatchObject({ code: 0 });
  });

  it('carry OTLP JSON through a pipe or a file of lines', async () => {
    const ids = [await aTrace(), await aTrace()];
    const documents = await Promise.all(ids.map(async (id) => (await cli(['export', id, '--otlp', '--out', '-', ...toGateway])).stdout));
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, `${documents.join('\n')}\n`);
    expect(await cli(['import', file, ...toOther])).toMatchObject({
      code: 0,
      stdout: `${file}: 2 spans and log records imported or already stored\n`,
    });
    for (const id of ids) expect((await other.fetch(`/v1/traces/${id}`)).status).toBe(200);
  });

  it('refuse a file of another kind, and continue with the next', async () => {
    const traceId = await aTrace();
    await cli(['export', traceId, '--out', join(folder, 'good.capsule'), ...toGateway]);
    const good = readFileSync(join(folder, 'good.capsule'));
    const bad = { 'half.capsule': good.subarray(0, good.length / 2), 'text.txt': 'hello', 'other.json': '{"resourceMetrics":[]}' };
    for (const [name, content] of Object.entries(bad)) writeFileSync(join(folder, name), content);
    const names = [...Object.keys(bad), 'missing', 'good.capsule'];
    const { code, stdout, stderr } = await cli(['import', ...names, ...toOther], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(4);
    expect(stdout).toMatch(/^good\.capsule: 1 traces, 1 spans/);
    expect(await cli(['export', 'unknown', ...toGateway], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: 'glasshouse: No trace unknown\n',
    });
  });
});

describe('glasshouse doctor', () => {
  const doctor = (dataDir: string, env: NodeJS.ProcessEnv = {}, project = folder) =>
    cli(['doctor', ...toGateway, '--data', dataDir, '--project', project], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: undefined, ...env } });

  it('finds nothing wrong with a running gateway and its store', async () => {
    const { code, stdout } = await doctor(gateway.dataDir);
    expect(stdout).toMatch(/ok {3}port +Glasshouse \S+ answers/);
    expect(stdout).toMatch(/ok {3}store .*is sound/);
    expect(code).toBe(0);
  });

  it('finds a damaged store, and changes nothing', async () => {
    const broken = await startTestGateway();
    await broken.ingest(aRequest(Array.from({ length: 500 }, () => aSpan())));
    await broken.gateway.stop();
    const file = telemetryFile(broken.dataDir);
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const before = readFileSync(file);
    const { code, stdout } = await doctor(broken.dataDir);
    expect([code, /FAIL store .*damaged/.test(stdout)]).toEqual([1, true]);
    expect(readFileSync(file)).toEqual(before);
    rmSync(broken.dataDir, { recursive: true });
  });

  it('reports the state of forwarding, from the running gateway or else from its store', async () => {
    const forwarding = await startTestGateway({ environment: {} });
    const refusing = await startRefusingCloud();
    const forwardingLines = async () => {
      const args = ['doctor', '--port', String(forwarding.port), '--data', forwarding.dataDir, '--project', folder];
      return (await cli(args)).stdout.split('\n').filter((line) => line.includes('forwarding'));
    };
    try {
      expect(await forwardingLines()).toEqual([expect.stringMatching(/^ok .*Off: no trace leaves this machine/)]);
      const key = newKeyValue().value;
      await forwarding.client.forwarding.create({ body: { name: 'cloud', url: refusing.url, app_id: 'app', key } });
      await forwarding.client.forwarding.change({ params: { name: 'cloud' }, body: { is_paused: true } });
      await forwarding.ingest(aRequest([aSpan()]));
      expect(await forwardingLines()).toEqual([
        expect.stringMatching(/cloud to http.*Paused by you; 1 spans queued.*key sk_service_….{4}, stored/),
      ]);
      await forwarding.client.forwarding.change({ params: { name: 'cloud' }, body: { is_paused: false, url: 'http://127.0.0.1:9' } });
      expect((await forwardingLines())[0]).toMatch(/^FAIL .*there is no key; 1 spans queued/);
      await forwarding.gateway.stop();
      expect((await forwardingLines())[0]).toMatch(/no gateway is running, so nothing is sent; 1 spans queued.*no key in secrets\.json/);
      expect((await forwardingLines())[1]).toMatch(/^warn .*http:\/\/127\.0\.0\.1:9 does not answer .*ECONNREFUSED/);
    } finally {
      await refusing.stop();
      rmSync(forwarding.dataDir, { recursive: true });
    }
  });

  it('finds wrong file permissions, projects and settings', async () => {
    const file = telemetryFile(gateway.dataDir);
    chmodSync(file, 0o644);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://elsewhere.example\u001b[2J' };
    writeFileSync(join(folder, 'agentmark.json'), '{');
    const { code, stdout } = await doctor(gateway.dataDir, env);
    chmodSync(file, 0o600);
    expect(code).toBe(1);
    expect(stdout).toMatch(/warn permissions/);
    expect(stdout).toMatch(/FAIL project .*agentmark\.json cannot be read/);
    expect(stdout).toMatch(/warn environment .*elsewhere\.example\\u\{1b\}/);
  });

  it('finds that an exporter without an address would send gRPC to a closed port', async () => {
    const { stdout } = await doctor(gateway.dataDir, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(stdout).toMatch(/warn environment .*OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and the gateway does not listen on 4317/);
  });
});

describe('glasshouse delete', () => {
  it('counts first, and deletes with --yes exactly what it counted', async () => {
    const [kept, gone] = [await aTrace('work', 'bob'), await aTrace('work', 'to be deleted')];
    const args = ['delete', '--user', 'to be deleted', ...toGateway];
    expect(await cli(args)).toMatchObject({ code: 0, stdout: '1 trace with 1 span would be deleted; --yes deletes them\n' });
    expect((await gateway.fetch(`/v1/traces/${gone}`)).status).toBe(200);
    expect(await cli([...args, '--yes'])).toMatchObject({ code: 0, stdout: '1 trace with 1 span deleted\n' });
    expect((await gateway.fetch(`/v1/traces/${gone}`)).status).toBe(404);
    expect((await gateway.fetch(`/v1/traces/${kept}`)).status).toBe(200);
    expect(await cli(['delete', gone, '--yes', ...toGateway])).toMatchObject({ code: 1, stderr: 'glasshouse: No trace matches\n' });
    const invalid = await cli(['delete', '--filter', 'cost >', ...toGateway]);
    expect(invalid).toMatchObject({ code: 1, stdout: '' });
    expect(await cli(['delete', kept, '--yes', ...toGateway])).toMatchObject({ code: 0 });
    expect((await gateway.fetch(`/v1/traces/${kept}`)).status).toBe(404);
  });
});
