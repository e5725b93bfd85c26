import { describe, expect, it } from 'vitest';
import { readTemplate } from './read-template.ts';
import type { TreeNode } from './syntax-tree.ts';

/** The first file, with its imports from the others. */
async function read(files: Record<string, string>, commit: string | null = null): Promise<TreeNode[]> {
  const path = Object.keys(files)[0] as string;
  const tree = await readTemplate(path, files[path] as string, commit, async (name) => files[name] ?? null);
  return tree.children ?? [];
}

const text = (value: string) => ({ type: 'text', value });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });
const expression = (value: string) => ({ type: 'mdxTextExpression', value });

describe('what a template imports stands in its place', () => {
  it('with the attributes of the tag as props, and what the tag holds as children', async () => {
    const files = {
      'a/main.prompt.mdx':
        '---\nname: main\n---\n\nimport Rule from \'../shared/rule.mdx\';\n\n<System>\n<Rule who="owls" count={3} when={props.when || now}>\nBe *kind*.\n</Rule>\n</System>\n',
      'shared/rule.mdx':
        '---\nname: rule\n---\n\n# For {props.who}\n\n{props.children}\n\n{props.count} times {props.count + 1}, {props.when}, {!props.when}, {props.other}, {"props.who"}\n',
    };
    expect(await read(files, 'abc')).toEqual([
      { type: 'yaml', value: 'name: main\nagentmark_meta:\n  commit_sha: abc' },
      expect.objectContaining({
        name: 'System',
        children: [
          { type: 'heading', depth: 1, children: [text('For '), text('owls')] },
          paragraph(text('Be '), { type: 'emphasis', children: [text('kind')] }, text('.')),
          paragraph(
            text('3'),
            text(' times '),
            expression('3 + 1'),
            text(', '),
            expression('props.when || now'),
            text(', '),
            expression('!(props.when || now)'),
            text(', '),
            expression('props.other'),
            text(', '),
            expression('"props.who"'),
          ),
        ],
      }),
    ]);
  });

  it('within a line it becomes part of the line', async () => {
    const files = { 'a.mdx': 'import B from "./b.mdx"\n\nHello <B/>!', 'b.mdx': 'dear **you**' };
    expect(await read(files)).toEqual([paragraph(text('Hello '), text('dear '), { type: 'strong', children: [text('you')] }, text('!'))]);
  });

  it('each file has its own names, and a file that is imported twice stands twice', async () => {
    const files = {
      'a.mdx': "import X from './b.mdx'\nimport Y from './c.mdx'\n\n<X t='1' />\n\n<Y/>",
      'b.mdx': "import Y from './d.mdx'\n\n<Y u={props.t} />",
      'c.mdx': "import Z from './d.mdx'\n\n<Z u='2' />\n\n<X/>",
      'd.mdx': '{props.u}',
    };
    expect(await read(files)).toEqual([paragraph(text('1')), paragraph(text('2')), expect.objectContaining({ name: 'X' })]);
  });

  it('code that is no import stays the text it is', async () => {
    expect(await read({ 'a.mdx': 'export const a = process.exit(1)\n\nHi' })).toEqual([
      { type: 'mdxjsEsm', value: 'export const a = process.exit(1)' },
      paragraph(text('Hi')),
    ]);
  });
});

it.each([
  [
    'a circle',
    { 'a.mdx': "import B from './b.mdx'\n", 'b.mdx': "import C from './sub/c.mdx'\n", 'sub/c.mdx': "\nimport A from '../a.mdx'" },
    /a\.mdx → b\.mdx → sub\/c\.mdx → a\.mdx/,
    'sub/c.mdx',
    2,
  ],
  ['itself', { 'a.mdx': "x\n\nimport A from './a.mdx'" }, /circle: a\.mdx → a\.mdx/, null, 3],
  ['nothing', { 'a.mdx': "import B from './b.mdx'" }, /leads to no file/, null, 1],
  ['a package', { 'a.mdx': "import B from 'left-pad'" }, /must begin with/, null, 1],
  ['an absolute path', { 'a.mdx': "import B from '/etc/passwd.mdx'" }, /must begin with/, null, 1],
  ['a program', { 'a.mdx': "import B from './b.ts'" }, /must end in/, null, 1],
  ['a device', { 'a.mdx': "import B from './nul.mdx'" }, /names no file/, null, 1],
  ['a backslash', { 'a.mdx': "import B from './..\\\\b.mdx'" }, /names no file/, null, 1],
  ['parts of a file', { 'a.mdx': "import { B } from './b.mdx'" }, /must read/, null, 1],
  ['a file that is broken', { 'a.mdx': "import B from './b.mdx'", 'b.mdx': '\n<Open>' }, /closing tag for <Open>/, 'b.mdx', 2],
  ['attributes nobody can know', { 'a.mdx': "import B from './b.mdx'\n\n<B {...props} />", 'b.mdx': 'x' }, /one by one/, null, 1],
])('an import of %s is refused with its place', async (_what, files, message, file, line) => {
  await expect(read(files as Record<string, string>)).rejects.toMatchObject({
    message: expect.stringMatching(message),
    file,
    line,
  });
});

it('an import that leads out of the templates is refused before anything is read', async () => {
  for (const from of ['../x.mdx', './../../x.mdx', '../../../../etc/passwd.mdx', './sub/../../x.mdx'])
    await expect(read({ 'a.mdx': `import B from '${from}'` })).rejects.toMatchObject({ problem: 'outside' });
});

it('a few small files cannot unfold to billions of nodes, of characters or of children', async () => {
  const levels = (use: string) =>
    Object.fromEntries(
      Array.from({ length: 14 }, (_, level) => [`f${level}.mdx`, `import N from './f${level + 1}.mdx'\n\n${use.repeat(6)}`]).concat([
        ['f14.mdx', 'text {props.a} {props.children}'],
      ]),
    );
  for (const use of [
    '<N/>\n\n',
    '<N a={props.a + props.a + props.a + props.a} />\n\n',
    '<N>\n{props.children}\n\n{props.children}\n\nx\n</N>\n\n',
  ])
    await expect(read(levels(use))).rejects.toThrow(/unfold to more/);
  const chain = Object.fromEntries(Array.from({ length: 20 }, (_, level) => [`f${level}.mdx`, `import N from './f${level + 1}.mdx'`]));
  await expect(read(chain)).rejects.toThrow(/deeper than 16/);
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`g${index}.mdx`, 'x']));
  const all = Object.keys(many).map((name, index) => `import G${index} from './${name}'`);
  await expect(read({ 'a.mdx': all.join('\n'), ...many })).rejects.toThrow(/More than 64/);
});
