import { expect, test } from 'vitest';
import { traceIdOfLink } from './deep-link.ts';
import { ownRoute, parseOpenTargets, readLaunchWords } from './open-targets.ts';

test.each([
  ['glasshouse://trace/0af7651916cd43dd8448eb211c80319c', '0af7651916cd43dd8448eb211c80319c'],
  ['glasshouse://trace/run-7_a.b/', 'run-7_a.b'],
  ['GLASSHOUSE://trace/abc', 'abc'],
])('%s shows the trace %s', (link, id) => expect(traceIdOfLink(link)).toBe(id));

test.each([
  'glasshouse://trace/',
  'glasshouse://trace/a/b',
  'glasshouse://trace/..',
  'glasshouse://trace/../../etc/passwd',
  'glasshouse://trace/%2e%2e',
  'glasshouse://trace/a?window=1',
  'glasshouse://trace/a#/setup',
  'glasshouse://trace/a --data=/etc',
  'glasshouse://trace/a\n--data=/etc',
  'glasshouse://trace/-a',
  'glasshouse://settings/a',
  'glasshouse:trace/a',
  'glasshouse://user@trace/a',
  'glasshouse://trace:9/a',
  `glasshouse://trace/${'a'.repeat(129)}`,
  'javascript:alert(1)',
  ' glasshouse://trace/a',
])('%j is no link', (text) => expect(traceIdOfLink(text)).toBeNull());

test('only links and trace files are read from the arguments of a launch', () => {
  const words = [
    '/work/glasshouse',
    '--data=/etc/x.json',
    '--port',
    '9',
    'run.json',
    '/tmp/a b.jsonl',
    'https://x.example/a.json',
    'glasshouse://trace/a',
    'notes.txt',
  ];
  expect(parseOpenTargets(words, '/home/me')).toEqual([{ file: '/home/me/run.json' }, { file: '/tmp/a b.jsonl' }, { route: '#/traces/a' }]);
});

test.each([[null], [{}], [{ words: 'x' }], [{ words: [1] }], [{ words: Array(101).fill('a') }], [{ words: ['a'.repeat(5000)] }]])(
  'a second launch that sends %j sends nothing',
  (sent) => expect(readLaunchWords(sent)).toEqual([]),
);

const page = 'http://127.0.0.1:9418/';
test.each([
  [`${page}#/traces/a?window=1`, '#/traces/a?window=1'],
  [page, null],
  [`${page}v1/openapi.json#/traces`, null],
  [`${page}?x#/traces`, null],
  ['http://127.0.0.1:9419/#/traces', null],
  ['http://localhost:9418/#/traces', null],
  ['http://me@127.0.0.1:9418/#/traces', null],
  ['https://attacker.example/#/traces', null],
  ['javascript:alert(1)//#/traces', null],
  ['#/traces', null],
])('%s has the screen %s', (url, route) => expect(ownRoute(url, page)).toBe(route));
