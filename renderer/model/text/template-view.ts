/** A prompt template for display: its messages, configuration and variables. */

export interface TemplateNode {
  type: string;
  name?: string | null;
  value?: unknown;
  children?: TemplateNode[];
  attributes?: TemplateNode[];
  depth?: number;
  ordered?: boolean;
  start?: number | null;
  lang?: string | null;
  url?: string;
}

export interface TemplatePiece {
  kind: 'text' | 'expression' | 'tag';
  text: string;
}

export interface TemplateMessage {
  /** Name in the template: `System`, `User`; empty outside of messages. */
  name: string;
  pieces: TemplatePiece[];
}

export interface TemplateView {
  /** From the front matter; null for none. */
  name: string | null;
  /** YAML, as written. */
  config: string;
  messages: TemplateMessage[];
  /** `question`, `customer.tier`: props read by the template, each once. */
  variables: string[];
  /** Elements that are neither messages nor text: conditions, loops and the like. */
  elements: string[];
}

const roles = new Set(['System', 'User', 'Assistant', 'Developer', 'ImagePrompt', 'SpeechPrompt']);
const isElement = ({ type }: TemplateNode) => type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
const isExpression = ({ type }: TemplateNode) => type === 'mdxFlowExpression' || type === 'mdxTextExpression';

/** Markdown delimiters. */
const delimiters: Record<string, string> = { strong: '**', emphasis: '*', delete: '~~' };
const blocks = new Set([
  'paragraph',
  'heading',
  'list',
  'code',
  'blockquote',
  'thematicBreak',
  'table',
  'html',
  'mdxFlowExpression',
  'mdxJsxFlowElement',
]);

function attributeText({ type, name, value }: TemplateNode): string {
  if (type !== 'mdxJsxAttribute') return ` {${String(value)}}`;
  if (value === null || value === undefined) return ` ${name}`;
  return typeof value === 'string' ? ` ${name}=${JSON.stringify(value)}` : ` ${name}={${String((value as TemplateNode).value)}}`;
}

class Writer {
  readonly pieces: TemplatePiece[] = [];

  add(kind: TemplatePiece['kind'], text: string) {
    const last = this.pieces.at(-1);
    if (text === '') return;
    if (kind === 'text' && last?.kind === 'text') last.text += text;
    else this.pieces.push({ kind, text });
  }

  children({ children = [] }: TemplateNode, between = '\n\n') {
    children.forEach((child, i) => {
      if (i > 0 && (blocks.has(child.type) || blocks.has(children[i - 1]?.type ?? ''))) this.add('text', between);
      this.node(child);
    });
  }

  node(node: TemplateNode): void {
    const delimiter = delimiters[node.type];
    const write = this.#writers[node.type];
    if (isElement(node)) this.#element(node);
    else if (isExpression(node)) this.add('expression', `{${String(node.value)}}`);
    else if (delimiter !== undefined) {
      this.add('text', delimiter);
      this.children(node, '');
      this.add('text', delimiter);
    } else if (write) write(node);
    else if (typeof node.value === 'string' || typeof node.value === 'number') this.add('text', String(node.value));
    else this.children(node);
  }

  readonly #writers: Record<string, (node: TemplateNode) => void> = {
    heading: (node) => {
      this.add('text', `${'#'.repeat(node.depth ?? 1)} `);
      this.children(node, '');
    },
    list: (node) => {
      (node.children ?? []).forEach((item, i) => {
        this.add('text', `${i > 0 ? '\n' : ''}${node.ordered ? `${(node.start ?? 1) + i}.` : '-'} `);
        this.children(item, '\n');
      });
    },
    code: ({ lang, value }) => this.add('text', `\`\`\`${lang ?? ''}\n${String(value)}\n\`\`\``),
    inlineCode: ({ value }) => this.add('text', `\`${String(value)}\``),
    thematicBreak: () => this.add('text', '---'),
    break: () => this.add('text', '\n'),
    link: (node) => {
      this.add('text', '[');
      this.children(node, '');
      this.add('text', `](${node.url ?? ''})`);
    },
  };

  #element(node: TemplateNode) {
    const open = `<${node.name ?? ''}${(node.attributes ?? []).map(attributeText).join('')}`;
    if ((node.children ?? []).length === 0) {
      this.add('tag', `${open} />`);
      return;
    }
    this.add('tag', `${open}>`);
    this.add('text', '\n');
    this.children(node);
    this.add('text', '\n');
    this.add('tag', `</${node.name ?? ''}>`);
  }
}

function visitAll(node: TemplateNode, visit: (node: TemplateNode) => void): void {
  visit(node);
  for (const child of [...(node.attributes ?? []), ...(node.children ?? [])]) visitAll(child, visit);
  if (typeof node.value === 'object' && node.value !== null) visitAll(node.value as TemplateNode, visit);
}

const propReference = /\bprops((?:\.[\p{L}_$][\p{L}\p{N}_$]*)+)/gu;

const isMessage = (node: TemplateNode) => isElement(node) && roles.has(node.name ?? '');

/** Messages on one line are inside a paragraph, with line breaks between them. */
function unwrapParagraph(node: TemplateNode): TemplateNode[] {
  const { type, children = [] } = node;
  if (type !== 'paragraph' || !children.some(isMessage)) return [node];
  return children.filter(({ type, value }) => type !== 'text' || String(value).trim() !== '');
}

export function viewTemplate(root: TemplateNode): TemplateView {
  const nodes = (root.children ?? []).flatMap(unwrapParagraph);
  const config = String(nodes.find(({ type }) => type === 'yaml')?.value ?? '');
  const messages: TemplateMessage[] = [];
  for (const node of nodes) {
    if (node.type === 'yaml' || node.type === 'mdxjsEsm') continue;
    const writer = new Writer();
    if (isMessage(node)) writer.children(node);
    else writer.node(node);
    const last = messages.at(-1);
    if (isMessage(node) || last?.name !== '') messages.push({ name: isMessage(node) ? (node.name ?? '') : '', pieces: writer.pieces });
    else last.pieces.push({ kind: 'text', text: '\n\n' }, ...writer.pieces);
  }
  const variables = new Set<string>();
  const elements = new Set<string>();
  visitAll(root, (node) => {
    if (typeof node.value === 'string' && node.type.includes('xpression'))
      for (const [, path] of node.value.matchAll(propReference)) variables.add((path ?? '').slice(1));
    if (isElement(node) && node.name && !roles.has(node.name)) elements.add(node.name);
  });
  const name = /^name:\s*(?:"([^"]*)"|'([^']*)'|(.*?))\s*$/m.exec(config);
  return { name: name?.[1] ?? name?.[2] ?? name?.[3] ?? null, config, messages, variables: [...variables], elements: [...elements] };
}
