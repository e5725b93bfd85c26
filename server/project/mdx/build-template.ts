/** Builds the tree of a template with its imported files inlined. Imports name files of the same project. Nothing is run. */
import { posix } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { ProjectError } from '../project-error.ts';
import { frontMatterOf, type PromptKind, yamlOf } from './front-matter.ts';
import { type Components, inlineComponents } from './inline-components.ts';
import { refuseUnknownTags, tagsOf } from './known-tags.ts';
import type { ParsedFile } from './syntax.ts';
import { isElement, nameOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

export interface TemplateSources {
  /** Under the templates folder, like all paths here. */
  path: string;
  text: string;
  /** Imported files read so far; null for those that do not exist. */
  files: ReadonlyMap<string, string | null>;
  /** Added to the front matter when it is known. */
  commit_sha: string | null;
  /** The kind of prompt; null to use the one in its front matter. */
  kind: PromptKind | null;
}

const depthMax = 16;
const filesMax = 64;

/**
 * The tree of a template, or the paths of files that must be read first.
 * @throws TemplateSyntaxError, or ProjectError `outside` when an import leads out of the project
 */
export function buildTemplate(sources: TemplateSources, parse: (text: string) => ParsedFile): TreeNode | readonly string[] {
  const { path, text, commit_sha } = sources;
  // Any other `.mdx` may begin with a line of dashes that is not front matter.
  if (path.endsWith('.prompt.mdx')) yamlOf(text);
  const loader = new Loader(sources, parse);
  const { nodes, components } = loader.load(path, text, [path]);
  if (loader.missing.size > 0) return [...loader.missing];
  if (nodes[0]?.type === 'yaml') frontMatterOf(String(nodes[0].value));
  const kind = sources.kind ?? kindOf(nodes, components);
  refuseUnknownTags(nodes, components, kind);
  const tree = { type: 'root', children: inlineComponents(nodes, components, tagsOf(kind)) };
  return commit_sha === null ? tree : addCommit(tree, commit_sha);
}

interface Loaded {
  nodes: readonly TreeNode[];
  components: Components;
}

const empty: Loaded = { nodes: [], components: new Map() };

class Loader {
  readonly missing = new Set<string>();
  readonly #sources: TemplateSources;
  readonly #parse: (text: string) => ParsedFile;
  readonly #loaded = new Set<string>();

  constructor(sources: TemplateSources, parse: (text: string) => ParsedFile) {
    this.#sources = sources;
    this.#parse = parse;
  }

  /**
   * Loads a file with the components of all files that it imports, directly or not. The content of a file is returned once: the next import of
   * it is empty.
   * @param chain the files from the template to this one, each imported by the one before
   */
  load(path: string, text: string, chain: readonly string[]): Loaded {
    if (this.#loaded.has(path)) return empty;
    try {
      if (this.#loaded.size > filesMax) throw new TemplateSyntaxError(`More than ${filesMax} files are imported`);
      const { nodes, imports } = this.#parse(text);
      const components = new Map<string, readonly TreeNode[]>();
      for (const { name, from, location } of imports) {
        const refuse = (message: string): never => {
          throw new TemplateSyntaxError(message, location);
        };
        const target = targetOf(path, from, (why) => refuse(`The import of ${from} ${why}`));
        if (!this.#loaded.has(target) && chain.includes(target)) refuse(`The imports form a cycle: ${[...chain, target].join(' → ')}`);
        if (chain.length > depthMax) refuse(`Imports are nested deeper than ${depthMax} files`);
        const found = this.#sources.files.get(target);
        if (found === undefined) this.missing.add(target);
        else {
          const imported = this.load(target, found ?? refuse(`The import of ${from} does not exist`), [...chain, target]);
          for (const [inner, content] of imported.components) components.set(inner, content);
          components.set(name, imported.nodes);
        }
      }
      this.#loaded.add(path);
      return { nodes, components };
    } catch (error) {
      // The location is in this file, not in the requested one.
      if (!(error instanceof TemplateSyntaxError) || error.file !== null || chain.length === 1) throw error;
      throw new TemplateSyntaxError(error.message, error, path);
    }
  }
}

function targetOf(path: string, from: string, refuse: (why: string) => never): string {
  if (/^(?:[/\\]|[a-z]:)/i.test(from)) refuse('must not be an absolute path');
  const target = posix.join(posix.dirname(path), from.replaceAll('\\', '/'));
  if (target === '..' || target.startsWith('../'))
    throw new ProjectError('outside', `The import of ${from} in ${path} leads outside the templates`);
  try {
    legalSegments(target);
  } catch (error) {
    refuse(`is not a valid path: it ${(error as Error).message}`);
  }
  return target;
}

/** The kind by the front matter that a renderer will find, which may be imported. Null when it cannot be read. */
function kindOf(nodes: readonly TreeNode[], components: Components): PromptKind | null {
  const yaml = frontMatterIn(nodes, new Map(components));
  if (yaml === null) return null;
  try {
    return frontMatterOf(yaml).kind;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return null;
    throw error;
  }
}

/** @param unvisited components not searched yet: those already searched have no front matter */
function frontMatterIn(nodes: readonly TreeNode[], unvisited: Map<string, readonly TreeNode[]>): string | null {
  for (const node of nodes) {
    if (node.type === 'yaml') return String(node.value);
    const content = isElement(node) ? unvisited.get(nameOf(node)) : undefined;
    if (!content) continue;
    unvisited.delete(nameOf(node));
    const found = frontMatterIn(content, unvisited);
    if (found !== null) return found;
  }
  return null;
}

/** Adds the commit to the first front matter, which may have been imported. One that cannot be read stays unchanged. */
function addCommit(tree: TreeNode, commit_sha: string): TreeNode {
  let isDone = false;
  const visit = (node: TreeNode): TreeNode => {
    if (isDone) return node;
    if (node.type === 'yaml') {
      isDone = true;
      return { ...node, value: withCommit(String(node.value), commit_sha) };
    }
    return node.children ? { ...node, children: node.children.map(visit) } : node;
  };
  return visit(tree);
}

function withCommit(yaml: string, commit_sha: string): string {
  try {
    return frontMatterOf(yaml).withCommit(commit_sha);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return yaml;
    throw error;
  }
}
