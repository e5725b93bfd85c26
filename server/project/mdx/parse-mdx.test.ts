import { describe, expect, it } from 'vitest';
import { processorTime } from '../../fixtures/processor-time.ts';
import { parseMdx } from './parse-mdx.ts';
import type { TreeNode } from './syntax-tree.ts';

const blocks = (text: string): TreeNode[] => parseMdx(text, null).children ?? [];
const text = (value: string) => ({ type: 'text', value });
const tag = (name: string, children: object[], attributes: object[] = []) => ({ type: 'mdxJsxFlowElement', name, attributes, children });

describe('a template as a tree', () => {
  it('has components with blocks or a line of text in them', () => {
    expect(blocks('<System>\n  Be *kind*\n\n  - a\n  - b\n</System>\n<User>Hi {props.name}</User>')).toEqual([
      tag('System', [
        { type: 'paragraph', children: [text('Be '), { type: 'emphasis', children: [text('kind')] }] },
        expect.objectContaining({ type: 'list', ordered: false, children: [expect.anything(), expect.anything()] }),
      ]),
      tag('User', [text('Hi '), { type: 'mdxTextExpression', value: 'props.name' }]),
    ]);
  });

  it('has attributes as text or as the text of an expression', () => {
    const value = { type: 'mdxJsxAttributeValueExpression', value: ' { a: "}" } ' };
    expect(blocks('<A b="c > d" e={ { a: "}" } } f {...g}\n  h=\'i\' />')).toEqual([
      tag(
        'A',
        [],
        [
          { type: 'mdxJsxAttribute', name: 'b', value: 'c > d' },
          { type: 'mdxJsxAttribute', name: 'e', value },
          { type: 'mdxJsxAttribute', name: 'f', value: null },
          { type: 'mdxJsxExpressionAttribute', value: '...g' },
          { type: 'mdxJsxAttribute', name: 'h', value: 'i' },
        ],
      ),
    ]);
  });

  it('keeps imports, expressions and code as text', () => {
    const code = ['`}$', '{process.exit(1)}`'].join('');
    expect(
      blocks("import X from '../../../../etc/passwd'\n\n{__}\n\n```js x\n</a> {\n```".replace('__', code)).map(({ type, value }) => [
        type,
        value,
      ]),
    ).toEqual([
      ['mdxjsEsm', "import X from '../../../../etc/passwd'"],
      ['mdxFlowExpression', code],
      ['code', '</a> {'],
    ]);
  });

  it('knows headings, quotes, breaks, links, entities and escapes', () => {
    expect(blocks('# A `b`\n\n> q\n\n---\n\n1. [x](u "t")\n\na &lt; \\{b\\} snake_case_name').map(({ type }) => type)).toEqual([
      'heading',
      'blockquote',
      'thematicBreak',
      'list',
      'paragraph',
    ]);
    expect(blocks('a &lt; \\{b\\} snake_case_name')[0]?.children).toEqual([text('a < {b} snake_case_name')]);
  });
});

describe("GitHub's additions and the second ways to say things", () => {
  const cell = (...children: object[]) => ({ type: 'tableCell', children });
  const row = (...children: object[]) => ({ type: 'tableRow', children });

  it('a table has its alignments and, in its cells, what a line can have', () => {
    expect(blocks('Before\n| a | b | c |\n|:--|:-:|--:|\n| *x* | {p.y} | \\| |\n| only |\n# After')).toEqual([
      { type: 'paragraph', children: [text('Before')] },
      {
        type: 'table',
        align: ['left', 'center', 'right'],
        children: [
          row(cell(text('a')), cell(text('b')), cell(text('c'))),
          row(cell({ type: 'emphasis', children: [text('x')] }), cell({ type: 'mdxTextExpression', value: 'p.y' }), cell(text('|'))),
          row(cell(text('only'))),
        ],
      },
      { type: 'heading', depth: 1, children: [text('After')] },
    ]);
    expect(blocks('a | b\nc | d')).toEqual([{ type: 'paragraph', children: [text('a | b\nc | d')] }]);
    expect(blocks('| a | b |\n| - |')).toMatchObject([{ type: 'paragraph' }]);
  });

  it('tasks have a box, and a list is spread when a blank line stands between its items', () => {
    expect(blocks('- [ ] a\n- [x] b\n\n- [y] c')).toMatchObject([
      {
        type: 'list',
        spread: true,
        children: [{ checked: false }, { checked: true }, { checked: null, children: [{ children: [text('[y] c')] }] }],
      },
    ]);
    expect(blocks('- a\n\n  b')).toMatchObject([{ spread: false, children: [{ spread: true }] }]);
  });

  it('what is struck through, doubly emphasised, underlined or broken by spaces is so', () => {
    const strong = { type: 'strong', children: [text('c')] };
    expect(blocks('~~a~~ ~b~ ***c***  \nd~e\nf')).toEqual([
      {
        type: 'paragraph',
        children: [
          { type: 'delete', children: [text('a')] },
          text(' '),
          { type: 'delete', children: [text('b')] },
          text(' '),
          { type: 'emphasis', children: [strong] },
          { type: 'break' },
          text('d~e\nf'),
        ],
      },
    ]);
    expect(blocks('One\n===\n\nTwo\n---\n\n---').map(({ type, depth }) => [type, depth])).toEqual([
      ['heading', 1],
      ['heading', 2],
      ['thematicBreak', undefined],
    ]);
  });
});

it.each([
  ['<A>', 1, 1],
  ['ok\n\n  <A>\n</B>', 4, 1],
  ['---\nname: x\n---\n\n{open', 5, 1],
  ['---\nname: x', 1, 1],
  ['---\nname: [a\n---', 2, 9],
  ['---\nnothing\n---', 2, 1],
  ['---\na:\n\tb: 1\n---', 3, 1],
  ['> a\n> </b>', 2, 3],
  ['1 < 2', 1, 3],
  ['<a b=c>', 1, 6],
])('%j says where it breaks', (template, line, column) => {
  expect(() => parseMdx(template, null)).toThrow(expect.objectContaining({ line, column }));
});

it.each([
  '<a>'.repeat(100_000),
  `${'<a>'.repeat(60)}${'x'.repeat(200_000)}${'</a>'.repeat(60)}`,
  '*a '.repeat(100_000),
  '`a``b'.repeat(50_000),
  '['.repeat(200_000),
  '> '.repeat(100_000),
  '- '.repeat(100_000),
  '{'.repeat(200_000),
  '**a'.repeat(50_000),
  '***a'.repeat(50_000),
  '~a '.repeat(100_000),
  `${' '.repeat(200_000)}x`,
  `x${' '.repeat(200_000)}\nx`,
  `${'|a'.repeat(50_000)}\n${'|-'.repeat(50_000)}`,
  '|a\n'.repeat(50_000),
  'a\n'.repeat(100_000),
])('hostile text number %# takes no more than a moment', (template) => {
  const took = processorTime(() => {
    try {
      parseMdx(template, null);
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
    }
  });
  expect(took).toBeLessThan(3_000);
});
