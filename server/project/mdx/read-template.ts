/**
 * A template with the files that it imports put in their places. Imports name files of the same project, by a path from the file they stand
 * in: `import Rules from './rules.mdx'`. Nothing else is imported, and nothing is run.
 */
import { posix } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { ProjectTrouble } from '../project-trouble.ts';
import { type Component, insertComponents } from './insert-components.ts';
import { parseMdx } from './parse-mdx.ts';
import type { TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** The text of a file of the project; null when there is none. */
type Read = (path: string) => Promise<string | null>;

const depthMax = 16;
const filesMax = 64;

/**
 * @param commit_sha stamped into the front matter when it is known
 * @throws TemplateSyntaxError, or ProjectTrouble `outside` when an import leads out of the project
 */
export async function readTemplate(path: string, text: string, commit_sha: string | null, read: Read): Promise<TreeNode> {
  const tree = parseMdx(text, commit_sha);
  const template = await new Loader(read).componentOf(tree, path, text, [path]);
  return template.components.size === 0 ? tree : { ...tree, children: insertComponents(template) };
}

class Loader {
  readonly #read: Read;
  readonly #loaded = new Map<string, Component>();

  constructor(read: Read) {
    this.#read = read;
  }

  /** @param way the files that were imported on the way to this one, which is the last */
  async componentOf(tree: TreeNode, path: string, text: string, way: readonly string[]): Promise<Component> {
    const components = new Map<string, Component>();
    const nodes: TreeNode[] = [];
    for (const node of tree.children ?? []) {
      if (node.type !== 'mdxjsEsm') {
        nodes.push(node);
        continue;
      }
      const { imports, rest } = importsIn(node.value ?? '');
      const fail = (message: string, about: string): never => {
        const before = text.slice(0, Math.max(0, text.indexOf(about))).split('\n');
        throw new TemplateSyntaxError(message, { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
      };
      if (rest.startsWith('import')) fail("An import must read `import Name from './file.mdx'`", rest.split('\n')[0] ?? '');
      if (rest !== '') nodes.push({ ...node, value: rest });
      for (const { name, from } of imports) {
        const target = targetOf(path, from, (why) => fail(`The import of ${from} ${why}`, from));
        if (way.includes(target)) fail(`The imports go round in a circle: ${[...way, target].join(' → ')}`, from);
        if (way.length > depthMax) fail(`Imports go deeper than ${depthMax} files`, from);
        const component = await this.#load(target, [...way, target]);
        components.set(name, component ?? fail(`The import of ${from} leads to no file`, from));
      }
    }
    return { nodes, components };
  }

  /** Null when there is no such file. */
  async #load(path: string, way: readonly string[]): Promise<Component | null> {
    const known = this.#loaded.get(path);
    if (known) return known;
    const text = await this.#read(path);
    if (text === null) return null;
    try {
      if (this.#loaded.size >= filesMax) throw new TemplateSyntaxError(`More than ${filesMax} files are imported`, { line: 1, column: 1 });
      const { nodes, components } = await this.componentOf(parseMdx(text, null), path, text, way);
      const component = { nodes: nodes.filter(({ type }) => type !== 'yaml'), components };
      this.#loaded.set(path, component);
      return component;
    } catch (error) {
      // The place is one in this file, not in the one that was asked for.
      if (!(error instanceof TemplateSyntaxError) || error.file !== null) throw error;
      throw new TemplateSyntaxError(error.message, error, path);
    }
  }
}

interface Import {
  name: string;
  from: string;
}

const statement = /^\s*import\s+([\p{L}_$][\p{L}\p{N}_$]*)\s+from\s+(["'])([^"'\n]+)\2[ \t]*;?[ \t]*(?:\/\/[^\n]*)?(?:\n|$)/u;

/** The imports at the beginning of a block of code, and what follows them. */
function importsIn(code: string): { imports: Import[]; rest: string } {
  const imports: Import[] = [];
  let rest = code;
  for (let found = statement.exec(rest); found; found = statement.exec(rest)) {
    imports.push({ name: found[1] ?? '', from: found[3] ?? '' });
    rest = rest.slice(found[0].length);
  }
  return { imports, rest: rest.trim() };
}

function targetOf(path: string, from: string, refuse: (why: string) => never): string {
  if (!/^\.\.?\//.test(from)) refuse('must begin with ./ or ../');
  if (!/\.mdx?$/.test(from)) refuse('must end in .mdx or .md');
  const target = posix.join(posix.dirname(path), from);
  if (target.startsWith('../')) throw new ProjectTrouble('outside', `The import of ${from} in ${path} leads outside the templates`);
  try {
    legalSegments(target);
  } catch (error) {
    refuse(`names no file: it ${(error as Error).message}`);
  }
  return target;
}
