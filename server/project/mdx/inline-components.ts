/**
 * Puts the content of imported files where their tags stand. How that is done is AgentMark's and seen in every rendered prompt, so its
 * limits are kept as well (ADR 031): names are shared by all files of a template, attributes of other tags keep their expressions, and what
 * stands between the tags of a component does not see the props of the file around it.
 */
import { literalOf, type Props, propsOf, withProps } from './props.ts';
import { mdxOf, parseMdx, plain } from './syntax.ts';
import { isElement, isExpression, nameOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** The content of imported files by the names that they are imported under. */
export type Components = ReadonlyMap<string, readonly TreeNode[]>;

/** The file whose content is put in place of a tag. */
interface Inside {
  props: Props;
  /** What stands between the tags. */
  children: readonly TreeNode[];
}

/** What files of a few kilobytes can unfold to when each uses the next many times has no limit but this. */
const charactersMax = 8 * 1024 * 1024;
const charactersOfNode = 40;
const depthMax = 64;
/** How often an expression is read again for tags that came with what was put in its place. */
const readingsMax = 16;

/**
 * @param tags of the renderer: only in these are expressions looked into
 * @throws TemplateSyntaxError
 */
export function inlineComponents(nodes: readonly TreeNode[], components: Components, tags: ReadonlySet<string>): TreeNode[] {
  if (components.size === 0) return [...nodes];
  const insertion = new Insertion(components, tags);
  return insertion.inExpressions(insertion.all(nodes, null));
}

class Insertion {
  readonly #components: Components;
  readonly #tags: ReadonlySet<string>;
  readonly #checked = new WeakSet<TreeNode>();
  #left = charactersMax;
  #depth = 0;

  constructor(components: Components, tags: ReadonlySet<string>) {
    this.#components = components;
    this.#tags = tags;
  }

  /**
   * @param inside null in the template itself, whose props come when it is rendered
   * @param isInTag whether a tag of the renderer is the nearest element around them
   */
  all(nodes: readonly TreeNode[], inside: Inside | null, isInTag = false): TreeNode[] {
    return nodes.flatMap((node) => this.#one(node, inside, isInTag));
  }

  /** Tags in expressions: functions that return elements hold them. */
  inExpressions(nodes: readonly TreeNode[]): TreeNode[] {
    return nodes.map((node) => {
      if (!node.children) return node;
      const children = isElement(node) && this.#tags.has(nameOf(node)) ? this.#expressionsOf(node.children) : node.children;
      return { ...node, children: this.inExpressions(children) };
    });
  }

  #expressionsOf(nodes: readonly TreeNode[]): TreeNode[] {
    return nodes.map((node) => {
      if (isExpression(node)) return this.#withTagsReplaced(node);
      return node.children && !isElement(node) ? { ...node, children: this.#expressionsOf(node.children) } : node;
    });
  }

  #one(node: TreeNode, inside: Inside | null, isInTag: boolean): TreeNode[] {
    this.#spend(charactersOfNode + (typeof node.value === 'string' ? node.value.length : 0));
    if (isExpression(node)) return inside ? this.#expression(node, inside) : [node];
    if (isElement(node) && this.#components.has(nameOf(node))) {
      const nodes = this.#inserted(node, node.children ?? [], inside?.props ?? new Map());
      if (inside === null && !isInTag) this.#check(node);
      return nodes;
    }
    const isTag = isElement(node) ? this.#tags.has(nameOf(node)) : isInTag;
    return [node.children ? { ...node, children: this.all(node.children, inside, isTag) } : node];
  }

  /** What a component holds must be in order even if it is not shown. AgentMark does not look at it where a tag of the renderer holds both. */
  #check(element: TreeNode): void {
    if (this.#checked.has(element)) return;
    this.#checked.add(element);
    this.all(element.children ?? [], null);
  }

  #inserted(element: TreeNode, children: readonly TreeNode[], outer: Props): TreeNode[] {
    const props = propsOf(element, outer);
    if (++this.#depth > depthMax) throw new TemplateSyntaxError(`<${nameOf(element)}> and what it holds are nested without end`);
    const nodes = this.all(this.#components.get(nameOf(element)) ?? [], { props, children });
    this.#depth--;
    return nodes;
  }

  #expression(node: TreeNode, { props, children }: Inside): TreeNode[] {
    const code = String(node.value);
    if (code === 'props.children') return asParagraph(this.all(children, null));
    if (!code.includes('props.')) return [node];
    const value = withProps(code, props);
    this.#spend(value.length);
    const literal = literalOf(value);
    return [literal === undefined ? { type: node.type, value } : { type: 'text', value: literal }];
  }

  /** The code with the tags in it replaced, which is read and written as MDX for that. Code that is none is left as it is. */
  #withTagsReplaced(node: TreeNode): TreeNode {
    let code = String(node.value);
    for (let reading = 0; [...this.#components.keys()].some((name) => code.includes(`<${name}`)); reading++) {
      if (reading >= readingsMax) throw new TemplateSyntaxError('An expression holds components that are nested without end');
      const replaced = this.#codeReplaced(code);
      if (replaced === null) break;
      code = replaced;
      this.#spend(code.length);
    }
    return { ...node, value: code };
  }

  #codeReplaced(code: string): string | null {
    const depth = this.#depth;
    try {
      const root = plain(parseMdx(code));
      const children = this.#tagsReplaced(root);
      return children === root.children ? null : mdxOf({ ...root, children }).trim();
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError) || this.#left < 0) throw error;
      this.#depth = depth;
      return null;
    }
  }

  /** The children of a node; the very same when there is nothing to replace in them. */
  #tagsReplaced(parent: TreeNode): TreeNode[] {
    const before = parent.children ?? [];
    let isChanged = false;
    const after = before.flatMap((node) => {
      if (isElement(node) && this.#components.has(nameOf(node))) {
        isChanged = true;
        const children = this.#inserted(node, [], new Map());
        const isFragment = parent.type === 'mdxJsxFlowElement' && !parent['name'];
        return isFragment ? children : [{ type: 'mdxJsxFlowElement', name: null, attributes: [], children }];
      }
      if (!node.children) return [node];
      const children = this.#tagsReplaced(node);
      if (children === node.children) return [node];
      isChanged = true;
      return [{ ...node, children }];
    });
    return isChanged ? after : before;
  }

  #spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TemplateSyntaxError('The imports unfold to more than a template may hold');
  }
}

/** Blocks as the lines of one paragraph; lists and paragraphs lose their frames. */
function asParagraph(nodes: readonly TreeNode[]): TreeNode[] {
  const children = nodes.flatMap((node, index) => [
    ...(index === 0 ? [] : [{ type: 'text', value: '\n' }]),
    ...(node.type === 'paragraph' || node.type === 'list' ? (node.children ?? []) : [node]),
  ]);
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}
