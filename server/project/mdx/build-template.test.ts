import { describe, expect, it } from 'vitest';
import { buildTemplate } from './build-template.ts';
import { parseFile } from './syntax.ts';
import { isExpression, type TreeNode } from './syntax-tree.ts';

type Files = Record<string, string>;

/** The first file with its imports from the others, which are read when they are requested. */
function build(files: Files, commit_sha: string | null = null): TreeNode {
  const path = Object.keys(files)[0] as string;
  const read = new Map<string, string | null>();
  for (;;) {
    const built = buildTemplate({ path, text: files[path] as string, files: read, commit_sha, kind: null }, parseFile);
    if ('type' in built) return built;
    for (const missing of built) read.set(missing, files[missing] ?? null);
  }
}

const buildText = (text: string) => build({ 'a.mdx': text });

/** Without positions and ESTree, which other tests cover. */
const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, field) =>
    key === 'position' || key === 'data' || (key === 'spread' && !field) ? undefined : field,
  );

const blocks = (files: Files | string) => bare(build(typeof files === 'string' ? { 'a.mdx': files } : files).children);
const text = (value: unknown) => ({ type: 'text', value });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });
const expression = (value: string) => ({ type: 'mdxTextExpression', value });
const tag = (name: string, children: object[] = [], attributes: object[] = []) => ({
  type: 'mdxJsxFlowElement',
  name,
  attributes,
  children,
});
const inline = (name: string, ...children: object[]) => ({ ...tag(name, children), type: 'mdxJsxTextElement' });

function every(node: TreeNode): TreeNode[] {
  return [node, ...(node.children ?? []).flatMap(every)];
}

describe('the tree of a template is that of AgentMark', () => {
  it('a tag on its own lines is a block, a tag on one line with its content is in a paragraph', () => {
    expect(blocks('<System>\nBe *kind*.\n\n- a\n- b\n</System>\n\n<User>Hi {props.name}</User>')).toEqual([
      tag('System', [
        paragraph(text('Be '), { type: 'emphasis', children: [text('kind')] }, text('.')),
        expect.objectContaining({ type: 'list', ordered: false }),
      ]),
      paragraph(inline('User', text('Hi '), expression('props.name'))),
    ]);
  });

  it('has no comments and no imports in it', () => {
    const tree = build({
      'a.mdx': '{/* one */}\n\nimport B from "b.mdx"\n\n<User>\n  {/* two\n  lines */}\n\n  Hi{/* three */} {// four\n} <B/>\n</User>\n',
      'b.mdx': '{/* five */}\n\nthere',
    });
    const nodes = every(tree);
    expect(nodes.filter(({ type }) => type === 'mdxjsEsm' || type.endsWith('Expression'))).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'text').map(({ value }) => value)).toEqual(['Hi', ' ', ' ', 'there']);
  });

  it('every expression has its ESTree, without positions, and every node its position', () => {
    const tree = buildText('{props.a}\n\n<If condition={props.b > 1} {...props.c}>\nHi {props.d}\n</If>\n\n{(x) => (<li>{x}</li>)}');
    const nodes = every(tree).slice(1);
    for (const node of nodes) expect(node).toMatchObject({ position: { start: { line: expect.any(Number) } } });
    const attributes = nodes.flatMap((node) => (node['attributes'] ?? []) as TreeNode[]);
    const values = attributes.map((attribute) => (typeof attribute.value === 'object' ? (attribute.value as TreeNode) : attribute));
    const expressions = [...nodes.filter(({ type }) => type.endsWith('Expression')), ...values];
    expect(expressions.map(({ value }) => value)).toEqual(['props.a', 'props.d', '(x) => (<li>{x}</li>)', 'props.b > 1', '...props.c']);
    for (const { data } of expressions) {
      expect(data).toMatchObject({ estree: { type: 'Program', body: [expect.objectContaining({ type: 'ExpressionStatement' })] } });
      expect(JSON.stringify(data)).not.toMatch(/"(?:loc|range|start|end)"/);
    }
  });

  it('the function of a ForEach is a block of code with its ESTree', () => {
    const tree = buildText('<ForEach arr={props.items}>{(item) => (<User>{item.q}</User>)}</ForEach>');
    expect(tree.children).toMatchObject([
      {
        name: 'ForEach',
        children: [
          {
            type: 'mdxFlowExpression',
            value: '(item) => (<User>{item.q}</User>)',
            data: {
              estree: { body: [{ expression: { type: 'ArrowFunctionExpression', params: [{ type: 'Identifier', name: 'item' }] } }] },
            },
          },
        ],
      },
    ]);
  });

  it('values of code that JSON cannot represent are null', () => {
    expect(JSON.stringify(buildText('{10n} {/x/g}'))).toContain('"bigint":"10"');
  });

  it('tables and strikethrough are text, because they are GitHub’s extensions of Markdown', () => {
    expect(blocks('| a | b |\n|---|---|\n| 1 | {props.x} |\n\n~~no~~')).toEqual([
      paragraph(text('| a | b |\n|---|---|\n| 1 | '), expression('props.x'), text(' |')),
      paragraph(text('~~no~~')),
    ]);
  });

  it('knows headings, quotes, code, links and escapes', () => {
    const types = (buildText('# A `b`\n\n> q\n\n---\n\n1. [x](u "t")\n\n```js x\n</a> {\n```\n\na &lt; \\{b\\}').children ?? []).map(
      ({ type }) => type,
    );
    expect(types).toEqual(['heading', 'blockquote', 'thematicBreak', 'list', 'code', 'paragraph']);
    expect(blocks('a &lt; \\{b\\} snake_case')).toEqual([paragraph(text('a < {b} snake_case'))]);
  });

  it('attachments and lower-case tags are elements like others', () => {
    expect(blocks('<User>\n<ImageAttachment image={props.url} />\n<rules>\nNo *tricks*\n</rules>\n</User>')).toMatchObject([
      {
        name: 'User',
        children: [{ name: 'ImageAttachment', attributes: [{ name: 'image', value: { value: 'props.url' } }] }, { name: 'rules' }],
      },
    ]);
  });
});

describe('an imported file replaces its tag', () => {
  it.each(['nested.mdx', './nested.mdx', '././sub/../nested.mdx', 'sub\\..\\nested.mdx'])('named as %s', (from) => {
    const files = { 'p/a.mdx': `import X from ${JSON.stringify(from)}\n\n<X/>`, 'p/nested.mdx': 'Hi' };
    expect(blocks(files)).toEqual([paragraph(text('Hi'))]);
  });

  it('with the attributes of the tag as props, and the content of the tag as children', () => {
    const files = {
      'a/main.prompt.mdx':
        '---\nname: main\n---\n\nimport Rule from \'../shared/rule.mdx\';\n\n<System>\n<Rule who="owls" count={3} when={props.time || now} on>\nBe *kind*.\n\nBe {props.mood}.\n</Rule>\n</System>\n',
      'shared/rule.mdx': '# For {props.who}\n\n{props.children}\n\n{props.count} {props.count + 1} {props.when} {props.on} {props.other}\n',
    };
    expect(blocks(files)).toEqual([
      { type: 'yaml', value: 'name: main' },
      tag('System', [
        { type: 'heading', depth: 1, children: [text('For '), text('owls')] },
        paragraph(
          ...[text('Be '), { type: 'emphasis', children: [text('kind')] }, text('.'), text('\n')],
          ...[text('Be '), expression('props.mood'), text('.')],
        ),
        paragraph(
          ...[text(3), text(' '), expression('3 + 1'), text(' '), expression('props.time || now'), text(' '), text('')],
          ...[text(' '), expression('props.other')],
        ),
      ]),
    ]);
  });

  it('its blank lines are kept: each block stays a block', () => {
    const files = { 'a.mdx': 'import B from "b.mdx"\n\n<System>\n<B/>\n</System>', 'b.mdx': 'Writing style:\n\nUse short words.\n\n- a' };
    expect(blocks(files)).toEqual([
      tag('System', [paragraph(text('Writing style:')), paragraph(text('Use short words.')), expect.objectContaining({ type: 'list' })]),
    ]);
  });

  it('nested components get the props of the component around them', () => {
    const files = {
      'a.mdx': "import X from './b.mdx'\n\n<X t='1' />",
      'b.mdx': "import Y from './sub/d.mdx'\n\n<Y u={props.t} />",
      'sub/d.mdx': 'u is {props.u}',
    };
    expect(blocks(files)).toEqual([paragraph(text('u is '), text('1'))]);
  });

  it('components in the function of a ForEach are inlined into its code', () => {
    const files = {
      'a.mdx':
        'import Q from "q.mdx"\n\n<User>\n<ForEach arr={props.all}>\n{(item) => (\n<>\n<Q is={item.q} />\n</>\n)}\n</ForEach>\n</User>',
      'q.mdx': 'Question: {props.is}',
    };
    const [user] = build(files).children ?? [];
    expect(user).toMatchObject({
      children: [
        {
          name: 'ForEach',
          children: [{ value: '(item) => (\n\n<>\n  Question: {item.q}\n</>\n\n)', data: { estree: { type: 'Program' } } }],
        },
      ],
    });
  });

  it('but not in functions of tags that are not the renderer’s, whatever their case', () => {
    const files = { 'a.mdx': 'import Q from "q.mdx"\n\n<NAME>{(item) => (<Q is={item} />)}</NAME>', 'q.mdx': '{props.is}' };
    const functionIn = (name: string) =>
      every(build({ ...files, 'a.mdx': files['a.mdx'].replaceAll('NAME', name) })).find(isExpression)?.value;
    for (const name of ['Table', 'table', 'rules']) expect(functionIn(name), name).toBe('(item) => (<Q is={item} />)');
    expect(functionIn('If')).toBe('(item) => (<>\n  {item}\n</>)');
  });

  it('the first file that imports another gets its content, and names are shared by all files', () => {
    const files = {
      'a.mdx': "import X from './b.mdx'\nimport Y from './c.mdx'\n\n<X/>\n\n<Y/>\n\n<Z/>",
      'b.mdx': "import Z from './d.mdx'\n\nb",
      'c.mdx': 'c',
      'd.mdx': 'd',
    };
    expect(blocks(files)).toEqual([paragraph(text('b')), paragraph(text('c')), paragraph(text('d'))]);
  });

  it('the commit is added to the first front matter, imported or not', () => {
    expect(build({ 'a.mdx': '---\nname: x\n---\nHi' }, 'abc').children?.[0]?.value).toBe('name: x\nagentmark_meta:\n  commit_sha: abc');
    const files = { 'a.mdx': 'import F from "f.mdx"\n\n<F/>', 'f.mdx': '---\nname: y\n---\n' };
    expect(build(files, 'abc').children?.[0]?.value).toBe('name: y\nagentmark_meta:\n  commit_sha: abc');
    expect(buildText('Hi')).toEqual(build({ 'a.mdx': 'Hi' }, 'abc'));
  });
});

it.each([
  ['<User>Hello\n\nworld</User>', /closing tag for `<User>`/, 1, 1],
  ['fine\n\n<Open>', /closing tag for `<Open>`/, 3, 1],
  ['ok\n\n  <A>\n</B>', /`<\/B>`/, 4, 1],
  ['> a\n> </b>', /closing slash/, 2, 4],
  ['a {open', /end of file in expression/, 1, 8],
  ['{props.}', /acorn/, 1, 8],
  ['1 <2', /Unexpected character `2`/, 1, 4],
  ['<a b=c>', /before attribute value/, 1, 6],
  ['Hi\n\nexport const a = 1', /cannot export/, 3, 1],
  ['import { B } from "b.mdx"', /An import must have the form/, 1, 1],
  ['import * as B from "b.mdx"', /An import must have the form/, 1, 1],
  ['import "b.mdx"', /An import must have the form/, 1, 1],
  ['---\nname: [a\n---\nHi', /not YAML/, 2, 9],
  [`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /nested deeper than 200/, 1, 604],
])('%j is refused with its location', (template, message, line, column) => {
  expect(() => buildText(template)).toThrow(expect.objectContaining({ message: expect.stringMatching(message), line, column, file: null }));
});
