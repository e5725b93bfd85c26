/** The attributes of a tag as props of the imported file. Expressions are inserted as text and never evaluated. */
import { attributesOf, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** By name, each as an expression. */
export type Props = ReadonlyMap<string, string>;

/** @param outer props of the file that contains the tag */
export function propsOf(element: TreeNode, outer: Props): Props {
  return new Map(
    attributesOf(element).map(({ type, name, value }) => {
      if (type !== 'mdxJsxAttribute')
        throw new TemplateSyntaxError(
          `The attributes of <${element['name']}>, which is imported, must be given by name, not as {...spread}`,
        );
      // An attribute without a value is an empty string.
      return [name, value === null || typeof value === 'string' ? JSON.stringify(value ?? '') : withProps(value.value, outer)];
    }),
  );
}

/**
 * An expression with the props that it uses replaced by their values, in which props are replaced again.
 * @throws TemplateSyntaxError when it uses a prop twice, or one whose value uses it again: AgentMark treats both as a cycle
 */
export function withProps(expression: string, props: Props): string {
  const used = new Set<string>();
  const replaceIn = (text: string): string =>
    text.replace(/props\.(\w+)/g, (found, name: string) => {
      const value = props.get(name);
      if (value === undefined) return found;
      if (used.has(name))
        throw new TemplateSyntaxError(
          `{${expression}} in an imported file uses props.${name} twice, or its value does: give the prop another name`,
        );
      used.add(name);
      return replaceIn(value);
    });
  return replaceIn(expression);
}

/**
 * The value of an expression that is a number or a quoted string; undefined for any other.
 * @throws TemplateSyntaxError when it begins and ends with quotes but is not a JSON string
 */
export function literalOf(expression: string): unknown {
  if (!/^(?:["'].*["']|\d+(?:\.\d+)?)$/.test(expression)) return undefined;
  try {
    return JSON.parse(expression) as unknown;
  } catch {
    throw new TemplateSyntaxError(`The string of an attribute must be in double quotes: ${expression}`);
  }
}
