import { expect, it } from 'vitest';
import { type TemplateNode, viewTemplate } from './template-view.ts';

const text = (value: string): TemplateNode => ({ type: 'text', value });
const paragraph = (...children: TemplateNode[]): TemplateNode => ({ type: 'paragraph', children });
const element = (name: string, children: TemplateNode[], attributes: TemplateNode[] = []): TemplateNode => ({
  type: 'mdxJsxFlowElement',
  name,
  attributes,
  children,
});
const expression = (value: string): TemplateNode => ({ type: 'mdxTextExpression', value });

const condition: TemplateNode = {
  type: 'mdxJsxAttribute',
  name: 'condition',
  value: { type: 'mdxJsxAttributeValueExpression', value: 'props.customer.tier === "gold"' },
};

const root: TemplateNode = {
  type: 'root',
  children: [
    { type: 'yaml', value: 'name: "answer: refund"\ntext_config:\n  model_name: gpt-4o' },
    element('System', [paragraph(text('Be '), { type: 'strong', children: [text('kind')] }), paragraph(text('Be short.'))]),
    element('User', [
      paragraph(text('Hello '), expression('props.name')),
      element('If', [paragraph(text('Thanks for '), expression('props.customer.orders.length'))], [condition]),
    ]),
  ],
};

it('is shown as its messages, with the expressions marked', () => {
  const { messages } = viewTemplate(root);
  expect(messages.map(({ name }) => name)).toEqual(['System', 'User']);
  expect(messages[0]?.pieces).toEqual([{ kind: 'text', text: 'Be **kind**\n\nBe short.' }]);
  expect(messages[1]?.pieces.map(({ text }) => text).join('')).toBe(
    'Hello {props.name}\n\n<If condition={props.customer.tier === "gold"}>\nThanks for {props.customer.orders.length}\n</If>',
  );
});

it('lists its variables once each, its elements, and its name', () => {
  expect(viewTemplate(root)).toMatchObject({
    name: 'answer: refund',
    variables: ['name', 'customer.tier', 'customer.orders.length'],
    elements: ['If'],
  });
});

it('messages on separate lines of one paragraph are still messages', () => {
  const inline = (name: string, ...children: TemplateNode[]): TemplateNode => ({ ...element(name, children), type: 'mdxJsxTextElement' });
  const lines = paragraph(inline('System', text('Be kind.')), text('\n'), inline('User', text('Hi '), expression('props.name')));
  const { messages } = viewTemplate({ type: 'root', children: [lines] });
  expect(messages.map(({ name, pieces }) => [name, pieces.map((piece) => piece.text).join('')])).toEqual([
    ['System', 'Be kind.'],
    ['User', 'Hi {props.name}'],
  ]);
});

it('a template without messages is one text', () => {
  const list: TemplateNode = {
    type: 'list',
    ordered: true,
    start: 3,
    children: [
      { type: 'listItem', children: [paragraph(text('a'))] },
      { type: 'listItem', children: [paragraph(text('b'))] },
    ],
  };
  const { messages, name } = viewTemplate({ type: 'root', children: [paragraph(text('First')), list] });
  expect(name).toBeNull();
  expect(messages.map(({ pieces }) => pieces.map(({ text }) => text).join(''))).toEqual(['First\n\n3. a\n4. b']);
});
