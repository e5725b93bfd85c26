/** Refused imports. */
import { expect, it } from 'vitest';
import { buildTemplate } from './build-template.ts';
import { parseFile } from './syntax.ts';

type Files = Record<string, string>;

/** The first file with its imports from the others; every requested path is added to `requested`. */
function build(files: Files, requested: string[] = []): void {
  const path = Object.keys(files)[0] as string;
  const read = new Map<string, string | null>();
  for (;;) {
    const built = buildTemplate({ path, text: files[path] as string, files: read, commit_sha: null, kind: null }, parseFile);
    if ('type' in built) return;
    for (const missing of built) read.set(missing, files[missing] ?? null);
    requested.push(...built);
  }
}

it.each([
  [
    'a cycle',
    { 'a.mdx': "import B from './b.mdx'\n", 'b.mdx': "import C from './sub/c.mdx'\n", 'sub/c.mdx': "\nimport A from '../a.mdx'" },
    /a\.mdx → b\.mdx → sub\/c\.mdx → a\.mdx/,
    'sub/c.mdx',
    2,
  ],
  ['itself', { 'a.mdx': "x\n\nimport A from './a.mdx'" }, /cycle: a\.mdx → a\.mdx/, null, 3],
  ['nothing', { 'a.mdx': "\nimport B from './b.mdx'" }, /does not exist/, null, 2],
  ['a package', { 'a.mdx': "import B from 'left-pad'" }, /does not exist/, null, 1],
  ['an absolute path', { 'a.mdx': "import B from '/etc/passwd.mdx'" }, /absolute/, null, 1],
  ['an absolute path of Windows', { 'a.mdx': 'import B from "C:\\\\x.mdx"' }, /absolute/, null, 1],
  ['a device', { 'a.mdx': "import B from './nul.mdx'" }, /is not a valid path/, null, 1],
  ['a file that is broken', { 'a.mdx': "import B from './b.mdx'", 'b.mdx': '\n<Open>' }, /closing tag for `<Open>`/, 'b.mdx', 2],
  ['a file that exports', { 'a.mdx': "import B from './b.mdx'", 'b.mdx': 'export const b = 1' }, /cannot export/, 'b.mdx', 1],
  ['spread attributes', { 'a.mdx': "import B from './b.mdx'\n\n<B {...props} />", 'b.mdx': 'x' }, /by name/, null, 1],
  [
    'a prop that refers to itself',
    { 'a.mdx': "import B from './b.mdx'\n\n<B t={props.t} />", 'b.mdx': '{props.t}' },
    /props\.t twice/,
    null,
    1,
  ],
  [
    'a prop that is used twice',
    { 'a.mdx': "import B from './b.mdx'\n\n<B n={1} />", 'b.mdx': '{props.n + props.n}' },
    /props\.n twice/,
    null,
    1,
  ],
  ['a text in single quotes', { 'a.mdx': "import B from './b.mdx'\n\n<B t={'x'} />", 'b.mdx': '{props.t}' }, /double quotes/, null, 1],
  ['a component that contains itself', { 'a.mdx': "import B from './b.mdx'\n\n<B/>", 'b.mdx': 'x <B/>' }, /nested endlessly/, null, 1],
] as const)('an import of %s is refused with its location', (_what, files, message, file, line) => {
  expect(() => build(files as Files)).toThrow(expect.objectContaining({ message: expect.stringMatching(message), file, line }));
});

const hiding = (body: string) => ({ 'a.mdx': `import B from './b.mdx'\n\n${body}`, 'b.mdx': 'Shown.' });

it.each([
  ['in it', '<B>\n<B {...props} />\n</B>'],
  ['in a list in it', '<B>\n- <B>a <B {...props} /></B>\n</B>'],
  ['in it, in a lower-case tag', '<If>\n<div>\n<B><B {...props} /></B>\n</div>\n</If>'],
  ['in a fragment', '<If>\n<>\n<B><B {...props} /></B>\n</>\n</If>'],
])('the content of a component must be valid even if it is not rendered: %s', (_where, body) => {
  expect(() => build(hiding(body))).toThrow(/by name/);
});

it.each([
  ['both are in a tag of the renderer', '<If>\n- <B>a <B {...props} /></B>\n</If>'],
  ['it is in a tag of the renderer', '<B>\n<Else>\n<B><B {...props} /></B>\n</Else>\n</B>'],
])('but it is not checked where %s', (_where, body) => {
  expect(() => build(hiding(body))).not.toThrow();
});

it('deeply nested components are each checked once', () => {
  const depth = 40;
  const shown = { 'b.mdx': '{props.children}\n' };
  for (const files of [hiding(''), { ...hiding(''), ...shown }])
    expect(() => build({ ...files, 'a.mdx': `${files['a.mdx']}${'<B>\n'.repeat(depth)}x\n${'</B>\n'.repeat(depth)}` })).not.toThrow();
});

it('an import that leads out of the templates is refused before anything is read', () => {
  for (const from of ['../x.mdx', './../../x.mdx', '../../../../etc/passwd.mdx', './sub/../../x.mdx', '..\\\\x.mdx', '..']) {
    const requested: string[] = [];
    expect(() => build({ 'a.mdx': `import B from '${from}'` }, requested)).toThrow(expect.objectContaining({ problem: 'outside' }));
    expect(requested).toEqual([]);
  }
});

it('files are requested together, each once', () => {
  const requested: string[] = [];
  build(
    {
      'a.mdx': 'import B from "b.mdx"\nimport C from "c.mdx"',
      'b.mdx': 'import D from "d.mdx"',
      'c.mdx': 'import D from "./d.mdx"',
      'd.mdx': '',
    },
    requested,
  );
  expect(requested).toEqual(['b.mdx', 'c.mdx', 'd.mdx']);
});

it('a few small files cannot expand to billions of nodes, characters or children', () => {
  const levels = (use: string) =>
    Object.fromEntries(
      Array.from({ length: 14 }, (_, level) => [
        `f${level}.mdx`,
        `import N${level + 1} from './f${level + 1}.mdx'\n\n${use
          .replaceAll('<N', `<N${level + 1}`)
          .replaceAll('</N', `</N${level + 1}`)
          .repeat(6)}`,
      ]).concat([['f14.mdx', 'text {props.a} {props.children}']]),
    );
  for (const use of ['<N/>\n\n', '<N a="0123456789" />\n\n', '<N>\n{props.children}\n\n{props.children}\n\nx\n</N>\n\n'])
    expect(() => build(levels(use))).toThrow(/expand to more/);
  const chain = Object.fromEntries(Array.from({ length: 20 }, (_, level) => [`f${level}.mdx`, `import N from './f${level + 1}.mdx'`]));
  expect(() => build(chain)).toThrow(/deeper than 16/);
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`g${index}.mdx`, 'x']));
  const all = Object.keys(many).map((name, index) => `import G${index} from './${name}'`);
  expect(() => build({ 'a.mdx': all.join('\n'), ...many })).toThrow(/More than 64/);
});
