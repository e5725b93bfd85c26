/** SQL whose values are parameters: they are sent beside the text of a query, so that no value can change it. */

import { partsOf } from '../parameter-lists.ts';

interface Parameter {
  type: string;
  value: unknown;
}

export interface Sql {
  /** Text around the parts. */
  readonly strings: readonly string[];
  readonly parts: readonly (Sql | Parameter)[];
}

export const sql = (strings: TemplateStringsArray, ...parts: (Sql | Parameter)[]): Sql => ({ strings, parts });

/** Text of this program, such as the name of a column. Never a value. */
export const raw = (text: string): Sql => ({ strings: [text], parts: [] });

export const text = (value: string): Parameter => ({ type: 'String', value });
export const texts = (values: readonly string[]): Parameter => ({ type: 'Array(String)', value: values });
/** Up to 2⁵³ in either direction; fractions are cut off. */
export const integer = (value: number): Parameter => ({ type: 'Int64', value: Math.trunc(value) });
export const integers = (values: readonly number[]): Parameter => ({ type: 'Array(Int64)', value: values });
export const number = (value: number): Parameter => ({ type: 'Float64', value });
export const numbers = (values: readonly number[]): Parameter => ({ type: 'Array(Float64)', value: values });

export const never = raw('0');
export const always = raw('1');

function join(conditions: readonly Sql[], operator: string, none: Sql): Sql {
  if (conditions.length === 0) return none;
  return { strings: ['(', ...Array.from({ length: conditions.length - 1 }, () => ` ${operator} `), ')'], parts: conditions };
}

export const all = (conditions: readonly Sql[]): Sql => join(conditions, 'AND', always);
export const any = (conditions: readonly Sql[]): Sql => join(conditions, 'OR', never);
export const not = (condition: Sql): Sql => sql`NOT (${condition})`;

/** Whether a column has one of the values, however many they are. */
export const isIn = (column: string, values: readonly string[]): Sql =>
  any(partsOf(values).map((part) => sql`${raw(column)} IN ${texts(part)}`));

export interface BoundSql {
  query: string;
  parameters: Record<string, unknown>;
}

/** Text and parameters of a query; their names begin with `v`. One that is used several times is sent once. */
export function bound(query: Sql): BoundSql {
  const parameters: Record<string, unknown> = {};
  const names = new Map<Parameter, string>();
  const textOf = ({ strings, parts }: Sql): string =>
    strings.reduce((before, after, index) => {
      const part = parts[index - 1] as Sql | Parameter;
      if ('strings' in part) return before + textOf(part) + after;
      const name = names.get(part) ?? `v${names.size}`;
      names.set(part, name);
      parameters[name] = part.value;
      return `${before}{${name}:${part.type}}${after}`;
    });
  return { query: textOf(query), parameters };
}
