import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';

const defaults = { port: 9418, data: undefined, project: undefined, hidden: false };

test.each([
  ['nothing', [], defaults],
  ['what Electron is started with', ['/work/glasshouse', '--no-sandbox', '--inspect=5858', '--enable-features=A,B'], defaults],
  [
    'the options of the gateway',
    ['--port', '9500', '--data', '/d', '--project', '/p'],
    { port: 9500, data: '/d', project: '/p', hidden: false },
  ],
  ['a start at login', ['--hidden'], { ...defaults, hidden: true }],
  ['the spelling with =', ['.', '--port=0', '--data=a b'], { ...defaults, port: 0, data: 'a b' }],
])('%s', (_, argv, expected) => {
  expect(commandLine(argv)).toEqual(expected);
});

test.each([[['--port', 'x']], [['--port', '65536']], [['--port', '-1']], [['--port', '1e3']], [['--port']], [['--data']]])(
  '%j is refused and the option named',
  (argv) => {
    expect(() => commandLine(argv)).toThrow(argv[0]);
  },
);
