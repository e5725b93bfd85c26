/** Draft of the redaction rules, and its policy. */
import { type HiddenKind, hiddenKinds, type RedactionPolicy, redactionLimits } from '../../../shared/contract/operations/redaction.ts';

/** Lists are texts: keys one on a line, names with commas between them. */
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

const listed = (text: string, between: string): string[] => [
  ...new Set(
    text
      .split(between)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
];

export const policyOf = ({ inputs, outputs, keys, hide, environments, tags }: RedactionFields): RedactionPolicy => ({
  drop: { inputs, outputs, keys: listed(keys, '\n') },
  hide: hiddenKinds.filter((kind) => hide.has(kind)),
  only: { environments: listed(environments, ','), tags: listed(tags, ',') },
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
  if (list.length > countMax) return `At most ${countMax} of them.`;
  return list.some((each) => each.length > lengthMax) ? `Each at most ${lengthMax} characters long.` : null;
}

export const isSame = (a: RedactionPolicy, b: RedactionPolicy): boolean =>
  JSON.stringify(policyOf(fieldsOf(a))) === JSON.stringify(policyOf(fieldsOf(b)));
