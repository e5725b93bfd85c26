/** Real runs of both runners in a folder of their own, and the closing lines of `npm test` for them. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closingReport } from './closing.ts';
import type { Runner } from './runner.ts';
import { playwright, vitest } from './runners.ts';
import { runSuite } from './suite.ts';

const cache = join(import.meta.dirname, '../.cache');
mkdirSync(cache, { recursive: true });
const scratch = mkdtempSync(join(cache, 'suite-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Setup {
  runner: Runner;
  /** The file name of a test. */
  file: (name: string) => string;
  /** The module that exports `test` and `expect`. */
  framework: string;
  config: Record<string, string>;
}

const setups: Record<string, Setup> = {
  vitest: {
    runner: vitest,
    file: (name) => `${name}.test.ts`,
    framework: 'vitest',
    config: {
      'vitest.config.ts': `import { vitestReporter } from '${import.meta.dirname}/vitest-reporter.ts';
        export default { test: { include: ['*.test.ts'], pool: 'forks', maxWorkers: 1, reporters: [vitestReporter] } };`,
    },
  },
  playwright: {
    runner: playwright,
    file: (name) => `${name}.spec.ts`,
    framework: '@playwright/test',
    config: {
      'playwright.config.ts': `export default { testDir: '.', workers: 1, outputDir: './results',
        reporter: [['${import.meta.dirname}/playwright-reporter.ts']] };`,
    },
  },
};

let folders = 0;

/** The start of each test file: `isFirst(name)` is true once for a name in any process, and `die()` kills the runner. */
const prelude = (framework: string, folder: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { expect, test } from '${framework}';
  const isFirst = (name: string) => {
    const mark = '${folder}/' + name + '.mark';
    return existsSync(mark) ? false : (writeFileSync(mark, ''), true);
  };
  const die = (signal = 'SIGKILL') => process.kill(process.ppid, signal as 'SIGKILL');
  const never = () => new Promise<void>(() => setInterval(() => {}, 1000));
  void [expect, isFirst, die, never];
`;

async function run(name: string, files: Record<string, string>, limits: Partial<{ quietMs: number; endAt: number }> = {}) {
  const { runner, file, framework, config } = setups[name] as Setup;
  const cwd = join(scratch, String(++folders));
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(config)) writeFileSync(join(cwd, path), text);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, file(path)), prelude(framework, cwd) + text);
  const folder = join(cwd, 'journals');
  const outcome = await runSuite(runner, {
    ...{ cwd, stdio: 'ignore', folder, quietMs: 300_000, endAt: Number.POSITIVE_INFINITY },
    ...limits,
  });
  const report = closingReport({ checks: true, tests: outcome.ok, journeys: true }, { [name]: outcome.results });
  return {
    ...report,
    last: report.lines.at(-1),
    text: report.lines.join('\n'),
    runs: [1, 2, 3, 4].filter((n) => existsSync(`${folder}/${name}-${n}.jsonl`)).length,
  };
}

const good = `test('adds', () => expect(1 + 1).toBe(2));`;

describe.each(['vitest', 'playwright'])('%s', { timeout: 300_000 }, (name) => {
  const file = (path: string) => setups[name]?.file(path) ?? '';

  it('a test that fails and then passes is reported as flaky, and the run passes', async () => {
    const { ok, lines, runs } = await run(name, {
      good,
      shaky: `test('is shaky', () => expect(isFirst('shaky'), 'the first time').toBe(false));
        test('needs the one before', () => expect(existsSync('${scratch}/${folders + 1}/shaky.mark')).toBe(true));`,
    });
    expect(lines).toEqual([
      expect.stringMatching(`^flaky: ${file('shaky')} > is shaky: .*the first time`),
      '1 flaky: failed once and passed once, which does not fail the run',
      '3 passed, 0 failed',
    ]);
    expect([ok, runs]).toEqual([true, 2]);
  });

  it('a test that fails twice has failed, although another test of its file is only flaky', async () => {
    const { ok, text, last } = await run(name, {
      bad: `test('is bad', () => expect(1, 'one is one').toBe(2));
        test('is shaky', () => expect(isFirst('shaky')).toBe(false));`,
    });
    expect([ok, last]).toEqual([false, '1 passed, 1 failed']);
    expect(text).toMatch(new RegExp(`failed: ${file('bad')} > is bad\n.*one is one`));
    expect(text).toContain(`flaky: ${file('bad')} > is shaky`);
  });

  it('tests with the same name are distinguished by their order', async () => {
    const loop = `for (const n of [1, 2, 3]) TEST('same', () => expect(n === 2 && isFirst('two')).toBe(false));`;
    // Playwright refuses two tests of one name; vitest has them in every it.each without a placeholder.
    if (name === 'playwright') return;
    const { ok, last } = await run(name, { same: loop.replace('TEST', 'test') });
    expect([ok, last]).toEqual([true, '3 passed, 0 failed']);
  });

  it('a file that cannot be loaded once is flaky, and one that can never be loaded has failed', async () => {
    const once = await run(name, { good, file: `if (isFirst('load')) throw new Error('no such thing'); ${good}` });
    expect([once.ok, once.last]).toEqual([true, '2 passed, 0 failed']);
    expect(once.text).toMatch(new RegExp(`flaky: ${file('file')}: .*no such thing`));
    const never = await run(name, { good, file: `throw new Error('no such thing'); ${good}` });
    expect(never.ok).toBe(false);
    expect(never.text).toContain(`failed: ${file('file')}\n`);
  });

  it('a hook that fails once is flaky, and the tests that it prevented are counted once', async () => {
    const { ok, text, last } = await run(name, {
      file: `test.beforeAll(() => expect(isFirst('hook'), 'the hook').toBe(false)); ${good} test('b', () => {});`,
    });
    expect([ok, last]).toEqual([true, '2 passed, 0 failed']);
    expect(text).toMatch(new RegExp(`flaky: ${file('file')}.*the hook`));
  });

  it('a worker process that crashes once is flaky, and all its tests are run', async () => {
    const dies = `test('dies', () => { if (isFirst('worker')) process.kill(process.pid, 'SIGKILL'); });`;
    const { ok, text, last } = await run(name, { a: good, b: `${dies} test('after', () => {});` });
    expect([ok, last]).toEqual([true, '3 passed, 0 failed']);
    expect(text).toMatch(new RegExp(`^flaky: ${file('b')}.*: .*([Ww]orker|was not run)`));
  });

  it('a runner that crashes is restarted for the files that it had not completed', async () => {
    const { ok, lines, runs } = await run(name, {
      a: good,
      b: `test('lives', async () => { if (isFirst('death')) { die(); await never(); } });`,
      c: good,
    });
    expect(lines).toEqual([
      expect.stringMatching(`^${name} ended without its report \\(SIGKILL\\) and was started again for [123] files$`),
      '3 passed, 0 failed',
    ]);
    expect([ok, runs]).toEqual([true, 2]);
  });

  it('a runner that crashes again has failed, and so has every file that was not run', async () => {
    const { ok, lines, runs } = await run(name, { b: `test('kills', async () => { die(); await never(); });` });
    expect([ok, lines.at(-1), runs]).toEqual([false, '0 passed, 1 failed', 2]);
    expect(lines).toContain(`${name} ended without its report again (SIGKILL)`);
    expect(lines).toContain(`failed: ${file('b')}\n    was not run to its end`);
  });

  it('a runner that hangs is killed and reported with the last test that started, and everything is run', async () => {
    // A worker that answers nothing, without use of the processor.
    const hangs = `test('hangs', async () => { if (isFirst('hang')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`;
    const { ok, lines } = await run(name, { a: good, b: hangs }, { quietMs: 40_000 });
    expect(lines[0]).toContain(`${name} ended without its report (killed: nothing began for 0.7 minutes; the last was ${file('b')} > `);
    expect(lines[0]).toContain(') and was started again for ');
    expect([ok, lines.at(-1)]).toEqual([true, '2 passed, 0 failed']);
  });

  it('when the time for all tests is over, this is reported and nothing is rerun', async () => {
    const { ok, last, text } = await run(name, { b: `test('is late', () => never());` }, { endAt: Date.now() + 1 });
    expect([ok, last]).toEqual([false, '0 passed, 1 failed']);
    expect(text).toContain(`${name} ended without its report (killed: the time for all tests was over`);
    expect(text).not.toContain('again');
  });

  it('after more than twenty failures nothing is rerun', async () => {
    // Playwright starts a worker after each failure, and what is counted are lines of a journal, whichever runner wrote it.
    if (name === 'playwright') return;
    const { ok, lines, runs } = await run(name, { many: `for (let n = 0; n < 21; n++) test('is bad ' + n, () => expect(1).toBe(2));` });
    expect([ok, lines.at(-1), runs]).toEqual([false, '0 passed, 21 failed', 1]);
    expect(lines).toContain(`${name}: more than 20 failed, so nothing was run again`);
  });

  it('a test that no longer exists in the rerun has failed', async () => {
    const { ok, last } = await run(name, { gone: `if (isFirst('gone')) test('goes', () => expect(1).toBe(2)); else ${good}` });
    expect([ok, last]).toEqual([false, '1 passed, 1 failed']);
  });

  it('a run without tests fails', async () => {
    expect(await run(name, {})).toMatchObject({ ok: false, last: '0 passed, 1 failed' });
  });
});
