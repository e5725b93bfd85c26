import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helpOf, parseArguments, portOf, projectOf, UsageError } from './command-line.ts';

const program = {
  name: 'npm run it --',
  about: 'Does it.',
  options: {
    port: { value: 'PORT', help: 'where', default: '9418' },
    data: { value: 'DIR', help: 'what with', isNeeded: true },
    quiet: { help: 'without a word' },
  },
} as const;

it('takes options in both spellings, and operands', () => {
  const words = ['--port', '1', 'a', '--data=-b c', '--quiet', 'd'];
  expect(parseArguments(program, words)).toEqual({ values: { port: '1', data: '-b c', quiet: '' }, operands: ['a', 'd'] });
  expect(parseArguments(program, [])).toEqual({ values: {}, operands: [] });
});

it.each([
  [['--nonsense'], 'There is no option --nonsense; npm run it -- --help lists them.'],
  [['-x'], 'There is no option -x; npm run it -- --help lists them.'],
  [['--toString'], 'There is no option --toString; npm run it -- --help lists them.'],
  [['--data'], '--data needs a value (DIR).'],
  [['--data', ''], '--data needs a value (DIR).'],
  [['--data='], '--data needs a value (DIR).'],
  [['--data', '--port', '1'], '--data needs a value (DIR).'],
  [['--quiet=yes'], '--quiet takes no value.'],
])('%j is refused in one sentence', (words, sentence) => {
  expect(() => parseArguments(program, words)).toThrow(new UsageError(sentence));
});

it('shows every option, which are required, and the defaults', () => {
  expect(helpOf(program)).toBe(`npm run it -- [--port PORT] --data DIR [--quiet]

Does it.

  --port PORT  where (9418)
  --data DIR   what with
  --quiet      without a word
  -h, --help   this text
`);
});

it('validates ports and project folders', () => {
  expect(['0', '80', '65535'].map(portOf)).toEqual([0, 80, 65_535]);
  for (const text of [undefined, '', ' 80', '-1', '65536', '1e3', '0x50', '80.5'])
    expect(() => portOf(text)).toThrow('--port takes a number');
  expect(projectOf(tmpdir())).toBe(tmpdir());
  const file = join(tmpdir(), `glasshouse-file-${process.pid}`);
  writeFileSync(file, '');
  expect(() => projectOf(file)).toThrow('is a file, not a project folder');
  expect(() => projectOf('/nowhere/at/all')).toThrow('There is no folder /nowhere/at/all');
});
