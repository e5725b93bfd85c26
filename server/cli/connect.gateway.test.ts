import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyValue, attributeList } from '../../shared/fixtures/otlp.ts';
import { type CliProcess, startCli } from '../fixtures/cli-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startTestCloud } from '../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { readSettings, writeSettings } from './connect/settings-file.ts';

let gateway: TestGateway;
let home: string;
let settings: string;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const homes: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-home-'));
  homes.push(home);
  mkdirSync(join(home, '.claude'));
  settings = join(home, '.claude/settings.json');
});
afterAll(() => {
  for (const folder of homes) rmSync(folder, { recursive: true });
});

/** Every variable that names a folder of an agent, so that no test reaches the settings of whoever runs it. */
const environment = () => ({
  HOME: home,
  GLASSHOUSE_DATA: join(home, 'data'),
  ...Object.fromEntries(
    ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'XDG_CONFIG_HOME', 'FLATPAK_XDG_CONFIG_HOME', 'USERPROFILE'].map((name) => [
      name,
      undefined,
    ]),
  ),
});
const start = (...args: string[]): CliProcess => startCli(['connect', ...args], { env: environment() });
const connect = (...args: string[]) => start(...args).ended;
const toGateway = () => ['--port', String(gateway.port)];

const before = `{
  // mine
  "model": "opus",
  "env": {
    "ANTHROPIC_AUTH_TOKEN": "sk-my-own",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", // of the team
    "OTEL_EXPORTER_OTLP_HEADERS": "api-key=sk-of-the-team"
  },
  "hooks": { "Stop": [ ] }
}
`;

/** What Claude Code sends for a prompt. */
async function aPrompt(name: string, atMs: number): Promise<void> {
  const nanos = String(BigInt(atMs) * 1_000_000n);
  const attributes = attributeList({ 'session.id': 's', 'prompt.id': name, 'event.name': 'user_prompt', prompt: 'hello' });
  const logRecords = [{ timeUnixNano: nanos, body: anyValue('claude_code.user_prompt'), attributes }];
  const resource = { attributes: attributeList({ 'service.name': 'claude-code' }) };
  const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] });
  const response = await gateway.fetch('/v1/logs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(response.status).toBe(200);
}

describe('glasshouse connect claude-code', () => {
  it('shows what it would write, writes it with consent only, ends with the first trace, and is undone byte for byte', async () => {
    writeFileSync(settings, before);
    chmodSync(settings, 0o640);
    const refused = await connect('claude-code', ...toGateway());
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was written, because there is no terminal to ask at'),
    });
    expect(refused.stdout).toContain(
      `+    "OTEL_EXPORTER_OTLP_ENDPOINT": "${gateway.url.replace('localhost', '127.0.0.1')}", // of the team\n`,
    );
    expect(refused.stdout).toContain(
      'OTEL_EXPORTER_OTLP_ENDPOINT is "http://collector:4318" now, and would be replaced: Claude Code would no longer use',
    );
    expect(refused.stdout).not.toContain('sk-');
    const dry = await connect('claude-code', '--dry-run', ...toGateway());
    expect(dry).toMatchObject({ code: 0, stdout: refused.stdout });
    expect(readFileSync(settings, 'utf8')).toBe(before);

    await aPrompt('before', Date.now() - 60_000);
    const running = start('claude-code', '--yes', ...toGateway());
    await running.said('waiting for the first trace of Claude Code');
    const after = readFileSync(settings, 'utf8');
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    await aPrompt('first', Date.now());
    const done = await running.ended;
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Claude Code is connected to http://127.0.0.1:') });
    const linked = /#\/traces\/(\w+)\n$/.exec(done.stdout)?.[1] ?? '';
    const { data } = await gateway.client.traces.list({ query: { filter: `trace_id = ${linked}` } });
    expect(data.map(({ start: at }) => Date.parse(at) > Date.now() - 50_000)).toEqual([true]);

    expect(await connect('claude-code', ...toGateway())).toMatchObject({ code: 0, stdout: expect.stringContaining('already connected') });
    expect(readFileSync(settings, 'utf8')).toBe(after);
    expect((await connect()).stdout).toMatch(
      /^Claude Code +connected to http:\/\/127\.0\.0\.1:\d+\n.*\n +glasshouse connect claude-code --remove\nCodex +not found/,
    );

    expect(await connect('claude-code', '--remove')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('-    "OTEL_LOGS_EXPORTER"'),
    });
    expect(readFileSync(settings, 'utf8')).toBe(after);
    expect(await connect('claude-code', '--remove', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json']);
    expect(await connect('claude-code', '--remove')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to remove') });
  });

  it('says that no gateway answers, and how to start one, before it asks; and moves to another address without losing what was there', async () => {
    writeFileSync(settings, before);
    const nowhere = ['--port', String(await freePort()), '--yes', '--no-wait'];
    const first = await connect('claude-code', ...nowhere);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('No gateway answers on port') });
    expect(first.stderr).toContain('`glasshouse start`');
    expect(statSync(join(home, 'data/agent-connections.json')).mode & 0o777).toBe(0o600);
    await connect('claude-code', ...toGateway(), '--yes', '--no-wait');
    expect(readFileSync(settings, 'utf8')).toContain(`"http://127.0.0.1:${gateway.port}"`);
    writeFileSync(
      settings,
      readFileSync(settings, 'utf8').replace('"OTEL_LOG_USER_PROMPTS": "1"', '"OTEL_LOG_USER_PROMPTS": "0"').replace('opus', 'sonnet'),
    );
    const removed = await connect('claude-code', '--remove', '--yes');
    expect(removed.stdout).toContain('Changed since, and left as it is: env.OTEL_LOG_USER_PROMPTS.');
    const left = readFileSync(settings, 'utf8');
    expect(left).toContain('"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", // of the team');
    expect(left).toContain('"OTEL_EXPORTER_OTLP_HEADERS": "api-key=sk-of-the-team"');
    expect(left.match(/"OTEL_\w+|"model": "\w+"/g)).toEqual([
      '"model": "sonnet"',
      ...['"OTEL_EXPORTER_OTLP_ENDPOINT', '"OTEL_LOG_USER_PROMPTS', '"OTEL_EXPORTER_OTLP_HEADERS'],
    ]);
  });

  it('refuses a file that cannot be read with its name and line, and writes nothing', async () => {
    writeFileSync(settings, '{\n  "env": {\n}');
    const refused = await connect('claude-code', '--yes', ...toGateway());
    expect(refused).toMatchObject({
      code: 1,
      stderr: `glasshouse: ${settings}, line 3: close brace expected. Nothing was written.\n`,
    });
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "env": {\n}');
    expect(readdirSync(home)).toEqual(['.claude']);
  });
});

describe('glasshouse connect with other agents', () => {
  it('writes their settings, says who sends no telemetry, and removes the files that it made', async () => {
    const files = { codex: '.codex/config.toml', zed: '.config/zed/settings.json' };
    for (const [agent, name] of Object.entries(files)) {
      const file = join(home, name);
      const done = await connect(agent, '--yes', '--no-wait', ...toGateway());
      expect(done).toMatchObject({ code: 0 });
      expect(done.stdout.includes('sends no telemetry by itself')).toBe(agent === 'zed');
      expect(readFileSync(file, 'utf8')).toContain(`http://127.0.0.1:${gateway.port}`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await connect(agent, '--yes', '--remove')).toMatchObject({ code: 0 });
      expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  it('refuses a gateway for teams, which wants a key', async () => {
    const cloud = await startTestCloud();
    const refused = await connect('codex', '--yes', '--url', cloud.url).finally(() => cloud.stop());
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is a gateway for teams') });
    expect(readdirSync(home)).toEqual(['.claude']);
  });

  it('refuses other names, and several', async () => {
    const wrong = [['emacs'], ['codex', 'zed'], ['--remove']];
    for (const args of wrong) expect(await connect(...args)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a settings file', () => {
  it('stays a link to its target', async () => {
    const target = join(home, 'dotfiles.json');
    writeFileSync(target, '{}');
    symlinkSync(target, settings);
    await writeSettings(await readSettings(settings), '{ "a": 1 }');
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('{ "a": 1 }');
  });

  it('that is read-only is left as it is', async () => {
    writeFileSync(settings, '{}', { mode: 0o400 });
    await expect(writeSettings(await readSettings(settings), '{ "a": 1 }')).rejects.toThrow('is read-only');
    expect(readFileSync(settings, 'utf8')).toBe('{}');
  });

  it('that was changed since it was read is left as it is', async () => {
    writeFileSync(settings, '{}');
    const file = await readSettings(settings);
    writeFileSync(settings, '{ "by": "the agent" }');
    await expect(writeSettings(file, '{ "a": 1 }')).rejects.toThrow('was changed by another program');
    await expect(writeSettings(file, null)).rejects.toThrow('was changed by another program');
    expect(readFileSync(settings, 'utf8')).toBe('{ "by": "the agent" }');
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json']);
  });
});
