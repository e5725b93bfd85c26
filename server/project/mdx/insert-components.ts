/**
 * Puts the content of imported files where their tags stand: `props.name` in it becomes the attribute of that name, `{props.children}` what
 * stands between the tags. This is replacement of text by text: an expression is carried on and never computed.
 */
import type { Attribute, TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** The content of a file, and the files that it imports by the names it gives them. */
export interface Component {
  nodes: readonly TreeNode[];
  components: ReadonlyMap<string, Component>;
}

interface Scope {
  components: ReadonlyMap<string, Component>;
  /** The attributes of the tag that is being replaced, each as an expression; null in the template itself, whose props come when it runs. */
  props: ReadonlyMap<string, string> | null;
  children: readonly TreeNode[];
}

/** What files of a few kilobytes can unfold to when each uses the next many times has no limit but this. */
const charactersMax = 8 * 1024 * 1024;
const charactersOfNode = 40;

/** @throws TemplateSyntaxError */
export function insertComponents({ nodes, components }: Component): TreeNode[] {
  return new Insertion().all(nodes, { components, props: null, children: [] });
}

class Insertion {
  #left = charactersMax;

  all(nodes: readonly TreeNode[], scope: Scope): TreeNode[] {
    return nodes.flatMap((node) => this.#one(node, scope));
  }

  #one(node: TreeNode, scope: Scope): TreeNode[] {
    const { type, value } = node;
    this.#spend(charactersOfNode + (value?.length ?? 0));
    if (type === 'mdxFlowExpression' || type === 'mdxTextExpression') return this.#expression(type, value ?? '', scope);
    if (type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement') return this.#element(node, scope);
    return [node.children ? { ...node, children: this.all(node.children, scope) } : node];
  }

  #expression(type: string, value: string, { props, children }: Scope): TreeNode[] {
    const isInline = type === 'mdxTextExpression';
    if (props === null) return [{ type, value }];
    if (value.trim() === 'props.children') {
      this.#spend(sizeOf(children));
      return fitted(children, isInline);
    }
    const replaced = this.#replaced(value, props);
    const literal = replaced === value ? null : literalOf(replaced);
    return literal === null ? [{ type, value: replaced }] : fitted([{ type: 'text', value: literal }], isInline);
  }

  #element(node: TreeNode, scope: Scope): TreeNode[] {
    const children = this.all(node.children ?? [], scope);
    const attributes = ((node['attributes'] ?? []) as Attribute[]).map((each) => this.#attribute(each, scope.props));
    const component = scope.components.get(String(node['name']));
    if (!component) return [{ ...node, attributes, children }];
    const props = propsOf(attributes, String(node['name']));
    const inserted = this.all(component.nodes, { components: component.components, props, children });
    return fitted(inserted, node.type === 'mdxJsxTextElement');
  }

  #attribute(attribute: Attribute, props: Scope['props']): Attribute {
    if (props === null) return attribute;
    if (attribute.type === 'mdxJsxExpressionAttribute') return { ...attribute, value: this.#replaced(attribute.value, props) };
    const { value } = attribute;
    if (value === null || typeof value === 'string') return attribute;
    return { ...attribute, value: { ...value, value: this.#replaced(value.value, props) } };
  }

  #replaced(expression: string, props: ReadonlyMap<string, string>): string {
    const isAlone = /^\s*props\.[\p{L}\p{N}_$]+\s*$/u.test(expression);
    return expression.replace(propsOrText, (found: string, name?: string) => {
      const given = name === undefined ? undefined : props.get(name);
      this.#spend(given?.length ?? 0);
      if (given === undefined) return found;
      return isAlone || literalOf(given) !== null ? given : `(${given})`;
    });
  }

  #spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TemplateSyntaxError('The imports unfold to more than a template may hold', { line: 1, column: 1 });
  }
}

const sizeOf = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((sum, { value, children = [] }) => sum + charactersOfNode + (value?.length ?? 0) + sizeOf(children), 0);

/** A use of a prop, or a text in quotes, in which nothing is one. */
const propsOrText = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<![\p{L}\p{N}_$.])props\.([\p{L}_$][\p{L}\p{N}_$]*)/gu;

function propsOf(attributes: readonly Attribute[], name: string): Map<string, string> {
  return new Map(
    attributes.map((attribute) => {
      if (attribute.type === 'mdxJsxExpressionAttribute')
        throw new TemplateSyntaxError(`The attributes of <${name}>, which is imported, must be named one by one`, { line: 1, column: 1 });
      const { value } = attribute;
      if (value === null) return [attribute.name, 'true'];
      return [attribute.name, typeof value === 'string' ? JSON.stringify(value) : value.value.trim()];
    }),
  );
}

/** What an expression that is a text or a number stands for; null for every other. */
function literalOf(expression: string): string | null {
  if (/^-?\d+(?:\.\d+)?$/.test(expression)) return expression;
  if (!/^"(?:[^"\\\n]|\\.)*"$/.test(expression)) return null;
  try {
    return JSON.parse(expression) as string;
  } catch {
    return null;
  }
}

const phrasing = new Set([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'break',
  'link',
  'image',
  'mdxTextExpression',
  'mdxJsxTextElement',
]);

/** Within a line paragraphs lose their frame; between blocks what belongs into a line is given one. */
function fitted(nodes: readonly TreeNode[], isInline: boolean): TreeNode[] {
  if (isInline)
    return nodes.flatMap((node, index) => {
      if (node.type !== 'paragraph') return [node];
      return [...(index === 0 ? [] : [{ type: 'text', value: '\n' }]), ...(node.children ?? [])];
    });
  const blocks: TreeNode[] = [];
  let line: TreeNode[] | null = null;
  for (const node of nodes) {
    if (!phrasing.has(node.type)) {
      line = null;
      blocks.push(node);
    } else if (line) line.push(node);
    else {
      line = [node];
      blocks.push({ type: 'paragraph', children: line });
    }
  }
  return blocks;
}
