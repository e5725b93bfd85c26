/** What the attributes of a tag are to the file that it was imported from. Expressions are text that is put into text, never computed. */
import { attributesOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** By name, each as an expression. */
export type Props = ReadonlyMap<string, string>;

/** @param outer of the file that the tag stands in */
export function propsOf(element: TreeNode, outer: Props): Props {
  return new Map(
    attributesOf(element).map(({ type, name, value }) => {
      if (type !== 'mdxJsxAttribute')
        throw new TemplateSyntaxError(`The attributes of <${element['name']}>, which is imported, must be named one by one`);
      // One without a value is an empty text.
      return [name, value === null || typeof value === 'string' ? JSON.stringify(value ?? '') : withProps(value.value, outer)];
    }),
  );
}

/**
 * An expression with its uses of props replaced. What replaces them is looked over for uses again.
 * @throws TemplateSyntaxError when it uses one twice, or one whose value uses it again: AgentMark takes both for a circle
 */
export function withProps(expression: string, props: Props): string {
  const used = new Set<string>();
  const replaced = (text: string): string =>
    text.replace(/props\.(\w+)/g, (found, name: string) => {
      const given = props.get(name);
      if (given === undefined) return found;
      if (used.has(name))
        throw new TemplateSyntaxError(
          `{${expression}} in an imported file uses props.${name} twice, or its value does: give the prop another name`,
        );
      used.add(name);
      return replaced(given);
    });
  return replaced(expression);
}

/**
 * What an expression says when it is a number or a text in quotes, undefined when it is another.
 * @throws TemplateSyntaxError when it begins and ends in quotes and is no text of JSON
 */
export function literalOf(expression: string): unknown {
  if (!/^(?:["'].*["']|\d+(?:\.\d+)?)$/.test(expression)) return undefined;
  try {
    return JSON.parse(expression) as unknown;
  } catch {
    throw new TemplateSyntaxError(`The text that an attribute gives must be one in double quotes: ${expression}`);
  }
}
