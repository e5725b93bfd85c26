import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStartArgs } from './start-args.ts';

const start = join(import.meta.dirname, 'start.ts');

test.each([
  ['nothing', [], { args: [], forGateway: ['--otlp-ports=on'] }],
  [
    'what both take, and what only a window takes',
    ['--port', '9500', '--hidden', '--data=a b', '--no-sandbox'],
    { args: ['--port', '9500', '--hidden', '--data=a b', '--no-sandbox'], forGateway: ['--port=9500', '--data=a b', '--otlp-ports=on'] },
  ],
  [
    'switches for Chromium after a further --',
    ['--port', '0', '--', '--ozone-platform=wayland'],
    { args: ['--port', '0', '--ozone-platform=wayland'], forGateway: ['--port=0', '--otlp-ports=on'] },
  ],
  ['ports of OTLP', ['--otlp-ports', 'off'], { args: ['--otlp-ports', 'off'], forGateway: ['--otlp-ports=off'] }],
  ['a file, which the gateway will refuse', ['a.json'], { args: ['a.json'], forGateway: ['--otlp-ports=on', 'a.json'] }],
])('%s', (_, argv, expected) => {
  expect(readStartArgs(argv)).toEqual(expected);
});

test.each([
  [['--nonsense'], 'There is no option --nonsense; npm start -- --help lists them.'],
  [['--port', 'x'], "--port takes a number from 0 to 65535, not 'x'."],
  [['--data'], '--data needs a value (DIR).'],
  [['--otlp-ports', '4317'], '--otlp-ports takes on (4317 for OTLP/gRPC, 4318 for OTLP/HTTP), off, or two ports'],
  [['--hidden=yes'], '--hidden takes no value.'],
  [['--project', '/nowhere/at/all'], 'There is no folder /nowhere/at/all; name another with --project.'],
  [['stray'], "'stray' is neither a trace file nor a link; npm start -- --help shows what can be given."],
])('%j is refused in one sentence', (argv, sentence) => {
  expect(() => readStartArgs(argv)).toThrow(sentence);
});

test('npm start shows its options and refuses a wrong one before it opens a window', { timeout: 60_000 }, () => {
  const run = (argument: string) => spawnSync(process.execPath, [start, argument], { encoding: 'utf8' });
  const help = run('--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  for (const option of ['--port PORT', '--data DIR', '--project DIR', '--otlp-ports PORTS', '--hidden', '--no-sandbox'])
    expect(help.stdout).toContain(option);
  const { status, stdout, stderr } = run('--nonsense');
  expect([status, stdout, stderr]).toEqual([1, '', 'There is no option --nonsense; npm start -- --help lists them.\n']);
});
