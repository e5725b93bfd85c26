/** What a comparison of two groups of runs says, in sentences. */
import type { ComparedGroups, SeparatingFact } from '../../../shared/contract/tracing/compared-groups.ts';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import { plural } from '../text/format.ts';
import type { Verdict } from './comparison-words.ts';

/** `failed runs`; `runs of A` where the runs of a group went differently. */
export interface GroupNames {
  a: string;
  b: string;
}

type Fact = Pick<SeparatingFact, 'kind' | 'step_kind' | 'name' | 'agent' | 'field' | 'value'>;

/** Name of the act that opens the comparison of two groups. */
export const compareGroupsLabel = 'Compare failed with good runs';

/** Less does not tell the groups apart. */
export const separationMin = 0.5;

type Runs = ComparedGroups['a']['runs'];

/** What all runs of a group have in common; null if they went differently. */
function outcomeOf(runs: Runs): string | null {
  const isFailed = ({ status }: ComparedRun) => status === 'ERROR';
  const hasErrors = (run: ComparedRun) => run.errors > 0 || isFailed(run);
  if (runs.length === 0) return null;
  if (runs.every(isFailed)) return 'failed';
  if (!runs.some(hasErrors)) return 'good';
  if (!runs.every(hasErrors)) return null;
  return runs.some(isFailed) ? 'with errors' : 'recovered';
}

/** `failed` means that the root failed; a run that has errors and did not fail has `recovered`. */
export function groupNames({ a, b }: Pick<ComparedGroups, 'a' | 'b'>): GroupNames {
  const [nameA, nameB] = [outcomeOf(a.runs), outcomeOf(b.runs)];
  if (nameA === nameB || nameA === null) return { a: 'A', b: 'B' };
  if (b.runs.length === 0) return { a: nameA, b: nameA === 'good' ? 'B' : 'good' };
  return nameB === null ? { a: 'A', b: 'B' } : { a: nameA, b: nameB };
}

/** `failed runs`, `runs with errors`, `runs of A` */
export const runsOf = (name: string, count = 2): string => {
  const runs = count === 1 ? 'run' : 'runs';
  if (name === 'with errors') return `${runs} ${name}`;
  return name.length === 1 ? `${runs} of ${name}` : `${name} ${runs}`;
};

/** `18 of 19 failed runs` */
export const share = (has: number, of: number, name: string): string => `${has} of ${of} ${runsOf(name, of)}`;

/** `request_photo`, `The model` */
export function factSubject({ kind, step_kind, name, agent, field, value }: Fact): string {
  if (kind === 'model') return value;
  if (kind === 'order') return field || 'unnamed';
  if (step_kind === 'llm') return agent ? `The model of ${agent}` : 'The model';
  return name || 'unnamed';
}

const quoted = (text: string): string => `“${text}”`;
const pair = (field: string, value: string): string => (field ? `${field}: ${value}` : quoted(value));

/** What it did, to be read after the subject. */
export function factPredicate({ kind, step_kind, name, agent, field, value }: Fact): string {
  switch (kind) {
    case 'tool':
      return 'was called';
    case 'step':
      return step_kind === 'agent' ? 'took part' : 'was a step';
    case 'model':
      return agent ? `was the model of ${agent}` : 'was the model';
    case 'setting':
      return `had the setting ${pair(field, value)}`;
    case 'tools':
      return `was offered ${field}`;
    case 'prompt':
      return field ? `had the prompt ${field}, version ${value}` : `had the system prompt ${quoted(value)}`;
    case 'argument':
      return step_kind === 'agent' ? `was asked ${pair(field, value)}` : `was called with ${pair(field, value)}`;
    case 'result':
      if (field === 'finish_reason') return `stopped with ${value}`;
      return `answered ${pair(field, value)}`;
    case 'order':
      return `came before ${name}`;
    case 'error':
      return value ? `failed with ${quoted(value)}` : 'failed without a message';
  }
}

export function groupVerdict(groups: ComparedGroups): Verdict {
  const { a, b, facts } = groups;
  const names = groupNames(groups);
  const none = { name: '', after: '' };
  if (a.runs.length === 0 || b.runs.length === 0) {
    const missing = a.runs.length === 0 ? names.a : names.b;
    return { ...none, before: `There are no ${runsOf(missing)} to compare.`, detail: 'Choose other traces or a longer time range.' };
  }
  const [best] = facts;
  const compared = `${plural(groups.compared, 'fact')} about ${plural(a.runs.length + b.runs.length, 'run')} compared`;
  if (!best || best.separation < separationMin) {
    const detail = best ? `${compared}; the closest is below.` : `${compared}; all are about as frequent in both groups.`;
    return { ...none, before: `Nothing clearly separates the ${runsOf(names.a)} from the ${runsOf(names.b)}.`, detail };
  }
  const inBoth = `in ${share(best.a.length, a.runs.length, names.a)} and in ${share(best.b.length, b.runs.length, names.b)}`;
  return {
    before: '',
    name: factSubject(best),
    after: ` ${factPredicate(best)} ${inBoth}.`,
    detail: `It separates them best. ${compared}.`,
  };
}
