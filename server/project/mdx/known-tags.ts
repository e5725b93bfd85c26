/**
 * Refuses tags that AgentMark's renderer does not know, as it does itself (ADR 031): it looks at the tags of a template and not at those of the
 * files that it imports, and not at what `Raw` holds, which it shows as it is written.
 */
import { didYouMean } from '../../../shared/words/nearest-word.ts';
import type { PromptKind } from './front-matter.ts';
import { isHtmlElement } from './html-elements.ts';
import type { Components } from './inline-components.ts';
import { startOf } from './syntax.ts';
import { isElement, nameOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

const everywhere = ['Else', 'ElseIf', 'ForEach', 'If', 'Raw'];
const messages = ['Assistant', 'FileAttachment', 'ImageAttachment', 'System', 'User'];

/** Beside those that are known everywhere. */
const tagsOfKind: Record<PromptKind, readonly string[]> = {
  text: messages,
  object: messages,
  image: ['ImagePrompt'],
  speech: ['SpeechPrompt', 'System'],
};
const promptOf: Record<PromptKind, string> = {
  text: 'a text prompt',
  object: 'an object prompt',
  image: 'an image prompt',
  speech: 'a speech prompt',
};

/** Words of other products. */
const synonyms = {
  human: 'User',
  ai: 'Assistant',
  model: 'Assistant',
  developer: 'System',
  image: 'ImageAttachment',
  file: 'FileAttachment',
};

const shownMax = 40;

/** Those that the renderer gives a meaning. @param kind null for a file without the configuration of a prompt, which is read as one of messages */
export const tagsOf = (kind: PromptKind | null): ReadonlySet<string> => new Set([...everywhere, ...tagsOfKind[kind ?? 'text']]);

/**
 * @param nodes of the template, before the content of imported files stands in place of their tags
 * @throws TemplateSyntaxError at the first tag that is not known
 */
export function refuseUnknownTags(nodes: readonly TreeNode[], components: Components, kind: PromptKind | null): void {
  const tags = tagsOf(kind);
  const visit = (node: TreeNode): void => {
    if (isElement(node)) {
      const name = nameOf(node);
      if (name === 'Raw') return;
      const isKnown = name === '' || components.has(name) || tags.has(name) || isHtmlElement(name) || isLowerCase(name.charAt(0));
      if (!isKnown) throw new TemplateSyntaxError(refusalOf(name, new Set([...tags, ...components.keys()]), kind), startOf(node));
    }
    for (const child of node.children ?? []) visit(child);
  };
  for (const node of nodes) visit(node);
}

/** Letters without case, digits and signs are neither. */
const isLowerCase = (letter: string): boolean => letter === letter.toLowerCase() && letter !== letter.toUpperCase();

function refusalOf(name: string, names: ReadonlySet<string>, kind: PromptKind | null): string {
  const known = [...names].filter(({ length }) => length <= shownMax).sort();
  const shown = name.length <= shownMax ? name : `${name.slice(0, shownMax).toWellFormed()}…`;
  const meant = didYouMean(name, known, synonyms) || '.';
  return `Unknown tag <${shown}>${kind ? ` in ${promptOf[kind]}` : ''}${meant} Known tags: ${known.join(', ')}. Any other tag must be imported or begin with a lower-case letter`;
}
