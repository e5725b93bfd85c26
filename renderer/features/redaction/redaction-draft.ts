/** Draft of the redaction rules: form fields, their validation and conversion. */
import { type HiddenKind, hiddenKinds, type RedactionPolicy, redactionLimits } from '../../../shared/contract/operations/redaction.ts';

/** Lists are texts: one key per line, names separated by commas. */
export interface RedactionFields {
  inputs: boolean;
  outputs: boolean;
  keys: string;
  hide: ReadonlySet<HiddenKind>;
  environments: string;
  tags: string;
}

export const fieldsOf = ({ drop, hide, only }: RedactionPolicy): RedactionFields => ({
  inputs: drop.inputs,
  outputs: drop.outputs,
  keys: drop.keys.join('\n'),
  hide: new Set(hide),
  environments: only.environments.join(', '),
  tags: only.tags.join(', '),
});

const splitList = (text: string, separator: string): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];

export const policyOf = ({ inputs, outputs, keys, hide, environments, tags }: RedactionFields): RedactionPolicy => ({
  drop: { inputs, outputs, keys: splitList(keys, '\n') },
  hide: hiddenKinds.filter((kind) => hide.has(kind)),
  only: { environments: splitList(environments, ','), tags: splitList(tags, ',') },
});

/** Problems by field. */
export interface RedactionProblems {
  keys?: string;
  environments?: string;
  tags?: string;
}

export function problemsOf(fields: RedactionFields): RedactionProblems {
  const { drop, only } = policyOf(fields);
  const { patternsMax, patternLengthMax, namesMax, nameLengthMax } = redactionLimits;
  const names = (list: string[]) => problemOf(list, namesMax, nameLengthMax);
  const problems = {
    keys: problemOf(drop.keys, patternsMax, patternLengthMax),
    environments: names(only.environments),
    tags: names(only.tags),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null));
}

function problemOf(list: readonly string[], countMax: number, lengthMax: number): string | null {
  if (list.length > countMax) return `At most ${countMax} entries.`;
  return list.some((item) => item.length > lengthMax) ? `At most ${lengthMax} characters per entry.` : null;
}

export const isSame = (a: RedactionPolicy, b: RedactionPolicy): boolean =>
  JSON.stringify(policyOf(fieldsOf(a))) === JSON.stringify(policyOf(fieldsOf(b)));
