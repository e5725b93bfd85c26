import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';

const none = { port: 9418, data: undefined, project: undefined, hidden: false };

test.each([
  ['nothing', [], none],
  ['what Electron is started with', ['/work/glasshouse', '--no-sandbox', '--inspect=5858', '--enable-features=A,B'], none],
  [
    'the options of the gateway',
    ['--port', '9500', '--data', '/d', '--project', '/p'],
    { port: 9500, data: '/d', project: '/p', hidden: false },
  ],
  ['a start at login', ['--hidden'], { ...none, hidden: true }],
  ['the other spelling', ['.', '--port=0', '--data=a b'], { ...none, port: 0, data: 'a b' }],
])('%s', (_, argv, expected) => {
  expect(commandLine(argv)).toEqual(expected);
});

test.each([[['--port', 'x']], [['--port', '65536']], [['--port', '-1']], [['--port', '1e3']], [['--port']], [['--data']]])(
  '%j is refused by name',
  (argv) => {
    expect(() => commandLine(argv)).toThrow(argv[0]);
  },
);
