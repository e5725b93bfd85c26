/** `glasshouse run` with a program that makes no progress: its steps are printed, it is ended, and its trace is kept. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cli, startCli } from '../fixtures/cli-process.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

const program = fileURLToPath(new URL('../fixtures/looping-program.ts', import.meta.url));

let gateway: TestGateway;
let run: (options: string[], traceId: string, ...args: string[]) => ReturnType<typeof cli>;

beforeAll(async () => {
  gateway = await startTestGateway();
  run = (options, traceId, ...args) =>
    cli(['run', '--port', String(gateway.port), ...options, '--', process.execPath, program, ...args], { env: { TRACE_ID: traceId } });
});
afterAll(() => gateway.stop());

describe('glasshouse run --guard', () => {
  it('ends a program that repeats a call, says why, prints its steps, and keeps the trace', async () => {
    const traceId = 'a1'.repeat(16);
    const { code, stdout, stderr } = await run(['--guard'], traceId);
    expect([code, stdout]).toEqual([124, 'asked to end\n']);
    expect(stderr).toMatch(/The run may be running away\. It called convert_currency \d+ times with the same arguments\./);
    expect(stderr).toMatch(/^glasshouse: \d\d:\d\d:\d\d {2}tool +convert_currency +5 ms/m);
    expect(stderr).toMatch(/0 model calls, \d+ tool calls, in /);
    expect(stderr).toContain(`1 trace: ${gateway.url}/#/traces/${traceId}`);
    const { data } = await gateway.client.spans.ofTrace({ params: { traceId } });
    expect(data.length).toBeGreaterThanOrEqual(10);
  });

  it('ends a program whose run costs too much, however different its calls are', async () => {
    const { code, stderr } = await run(['--max-cost', '0.5'], 'a2'.repeat(16), '0.1', 'varied');
    expect(code).toBe(124);
    expect(stderr).toMatch(/The run has cost \$0\.\d+, and --max-cost is \$0\.500\./);
  });

  it('ends a program that ignores SIGINT', async () => {
    const { code, stdout } = await run(['--guard', '--no-steps'], 'a3'.repeat(16), '0', 'stubborn');
    expect([code, stdout]).toEqual([124, 'asked to end\n']);
  });

  it('leaves a repeating program alone without --guard, and ends it when the viewer asks for it', async () => {
    const traceId = 'a4'.repeat(16);
    const started = startCli(['run', '--port', String(gateway.port), '--', process.execPath, program], { env: { TRACE_ID: traceId } });
    const listed = async () => (await gateway.client.runaways.list({ query: { trace_ids: traceId } })).data;
    await vi.waitFor(async () => expect(await listed()).toMatchObject([{ can_stop: true }]), { timeout: 120_000 });
    const [found] = await listed();
    await gateway.client.runaways.stop({ params: { runId: found?.run_id ?? '' } });
    const { code, stderr } = await started.ended;
    expect(code).toBe(124);
    expect(stderr).toContain('requested in the viewer');
    expect(stderr.match(/may be running away/g), 'told once').toHaveLength(1);
  });

  it('refuses a cost that is none', async () => {
    for (const cost of ['0', '-1', 'much', '']) expect((await run(['--max-cost', cost], '')).code).toBe(2);
  });
});
