/**
 * Refuses tags that are unknown to AgentMark's renderer, as the renderer does itself (ADR 031): it checks the tags of a template, but not those of
 * imported files, and not the content of `Raw`, which is rendered as written.
 */
import { didYouMean } from '../../../shared/words/nearest-word.ts';
import type { PromptKind } from './front-matter.ts';
import { isHtmlElement } from './html-elements.ts';
import type { Components } from './inline-components.ts';
import { startOf } from './syntax.ts';
import { isElement, nameOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

const commonTags = ['Else', 'ElseIf', 'ForEach', 'If', 'Raw'];
const messageTags = ['Assistant', 'FileAttachment', 'ImageAttachment', 'System', 'User'];

/** In addition to the common tags. */
const tagsOfKind: Record<PromptKind, readonly string[]> = {
  text: messageTags,
  object: messageTags,
  image: ['ImagePrompt'],
  speech: ['SpeechPrompt', 'System'],
};
const promptNames: Record<PromptKind, string> = {
  text: 'a text prompt',
  object: 'an object prompt',
  image: 'an image prompt',
  speech: 'a speech prompt',
};

/** Tag names of other products. */
const synonyms = {
  human: 'User',
  ai: 'Assistant',
  model: 'Assistant',
  developer: 'System',
  image: 'ImageAttachment',
  file: 'FileAttachment',
};

const nameLengthMax = 40;

/** The tags with a meaning to the renderer. @param kind null for a file without the configuration of a prompt, which is treated as a text prompt */
export const tagsOf = (kind: PromptKind | null): ReadonlySet<string> => new Set([...commonTags, ...tagsOfKind[kind ?? 'text']]);

/**
 * @param nodes nodes of the template, before imported files replace their tags
 * @throws TemplateSyntaxError at the first unknown tag
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

/** False for letters without case, digits and symbols. */
const isLowerCase = (letter: string): boolean => letter === letter.toLowerCase() && letter !== letter.toUpperCase();

function refusalOf(name: string, names: ReadonlySet<string>, kind: PromptKind | null): string {
  const known = [...names].filter(({ length }) => length <= nameLengthMax).sort();
  const shown = name.length <= nameLengthMax ? name : `${name.slice(0, nameLengthMax).toWellFormed()}…`;
  const suggestion = didYouMean(name, known, synonyms) || '.';
  return `Unknown tag <${shown}>${kind ? ` in ${promptNames[kind]}` : ''}${suggestion} Known tags: ${known.join(', ')}. Any other tag must be imported or begin with a lower-case letter`;
}
