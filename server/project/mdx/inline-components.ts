/**
 * Replaces the tags of imported files with their content. The result is the same as in AgentMark, because it shows in every rendered prompt;
 * that includes its limits (ADR 031): names are shared by all files of a template, attributes of other tags keep their expressions, and the
 * content between the tags of a component does not see the props of the file around it.
 */
import { literalOf, type Props, propsOf, withProps } from './props.ts';
import { mdxOf, parseMdx, plain } from './syntax.ts';
import { isElement, isExpression, nameOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** The content of imported files, by the name of the import. */
export type Components = ReadonlyMap<string, readonly TreeNode[]>;

/** The imported file that replaces a tag. */
interface ComponentUse {
  props: Props;
  /** The content between the tags. */
  children: readonly TreeNode[];
}

/** Limit for the result: small files that use each other many times can expand without bound. */
const charactersMax = 8 * 1024 * 1024;
const charactersOfNode = 40;
const depthMax = 64;
/** How often an expression is parsed again, because inlined content may contain more tags. */
const passesMax = 16;

/**
 * @param tags tags of the renderer: expressions are inlined only in these
 * @throws TemplateSyntaxError
 */
export function inlineComponents(nodes: readonly TreeNode[], components: Components, tags: ReadonlySet<string>): TreeNode[] {
  if (components.size === 0) return [...nodes];
  const inliner = new ComponentInliner(components, tags);
  return inliner.inExpressions(inliner.all(nodes, null));
}

class ComponentInliner {
  readonly #components: Components;
  readonly #tags: ReadonlySet<string>;
  readonly #checked = new WeakSet<TreeNode>();
  #charactersLeft = charactersMax;
  #depth = 0;

  constructor(components: Components, tags: ReadonlySet<string>) {
    this.#components = components;
    this.#tags = tags;
  }

  /**
   * @param use null in the template itself, whose props are set when it is rendered
   * @param isInTag whether the nearest enclosing element is a tag of the renderer
   */
  all(nodes: readonly TreeNode[], use: ComponentUse | null, isInTag = false): TreeNode[] {
    return nodes.flatMap((node) => this.#inlineNode(node, use, isInTag));
  }

  /** Inlines tags in expressions, where functions return elements. */
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

  #inlineNode(node: TreeNode, use: ComponentUse | null, isInTag: boolean): TreeNode[] {
    this.#spend(charactersOfNode + (typeof node.value === 'string' ? node.value.length : 0));
    if (isExpression(node)) return use ? this.#expression(node, use) : [node];
    if (isElement(node) && this.#components.has(nameOf(node))) {
      const nodes = this.#inserted(node, node.children ?? [], use?.props ?? new Map());
      if (use === null && !isInTag) this.#check(node);
      return nodes;
    }
    const isTag = isElement(node) ? this.#tags.has(nameOf(node)) : isInTag;
    return [node.children ? { ...node, children: this.all(node.children, use, isTag) } : node];
  }

  /** The content of a component must be valid even if it is not rendered. AgentMark does not check it where a tag of the renderer contains both. */
  #check(element: TreeNode): void {
    if (this.#checked.has(element)) return;
    this.#checked.add(element);
    this.all(element.children ?? [], null);
  }

  #inserted(element: TreeNode, children: readonly TreeNode[], outer: Props): TreeNode[] {
    const props = propsOf(element, outer);
    if (++this.#depth > depthMax) throw new TemplateSyntaxError(`<${nameOf(element)}> and its content are nested endlessly`);
    const nodes = this.all(this.#components.get(nameOf(element)) ?? [], { props, children });
    this.#depth--;
    return nodes;
  }

  #expression(node: TreeNode, { props, children }: ComponentUse): TreeNode[] {
    const code = String(node.value);
    if (code === 'props.children') return asParagraph(this.all(children, null));
    if (!code.includes('props.')) return [node];
    const value = withProps(code, props);
    this.#spend(value.length);
    const literal = literalOf(value);
    return [literal === undefined ? { type: node.type, value } : { type: 'text', value: literal }];
  }

  /** The code with its tags replaced, for which it is parsed and written as MDX. Code that is not MDX stays unchanged. */
  #withTagsReplaced(node: TreeNode): TreeNode {
    let code = String(node.value);
    for (let pass = 0; [...this.#components.keys()].some((name) => code.includes(`<${name}`)); pass++) {
      if (pass >= passesMax) throw new TemplateSyntaxError('An expression contains components that are nested endlessly');
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
      if (!(error instanceof TemplateSyntaxError) || this.#charactersLeft < 0) throw error;
      this.#depth = depth;
      return null;
    }
  }

  /** The children of a node with tags replaced; the same array when nothing was replaced. */
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
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw new TemplateSyntaxError('The imports expand to more than a template may contain');
  }
}

/** Merges blocks into one paragraph, one line each; lists and paragraphs are replaced by their children. */
function asParagraph(nodes: readonly TreeNode[]): TreeNode[] {
  const children = nodes.flatMap((node, index) => [
    ...(index === 0 ? [] : [{ type: 'text', value: '\n' }]),
    ...(node.type === 'paragraph' || node.type === 'list' ? (node.children ?? []) : [node]),
  ]);
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}
