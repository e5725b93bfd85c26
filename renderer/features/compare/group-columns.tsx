import type { SeparatingFact } from '../../../shared/contract/tracing/compared-groups.ts';
import { count } from '../../model/text/format.ts';
import { factPredicate, factSubject, type GroupNames, runsOf, share } from '../../model/trace/group-words.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';

export interface FactRow {
  /** Number in the list, from 1. */
  id: string;
  fact: SeparatingFact;
}

export function groupColumns(names: GroupNames, ofA: number, ofB: number): readonly Column<FactRow>[] {
  const column = (side: 'a' | 'b', of: number): Column<FactRow> => ({
    id: side,
    head: `In ${runsOf(names[side])}`,
    width: 'minmax(var(--width-cost), 1.2fr)',
    cell: ({ fact }) => <Share has={fact[side].length} of={of} name={names[side]} />,
  });
  return [
    { id: 'fact', head: 'What separates them', width: 'minmax(0, 3fr)', isLead: true, cell: ({ fact }) => <What fact={fact} /> },
    column('a', ofA),
    column('b', ofB),
  ];
}

function What({ fact }: { fact: SeparatingFact }) {
  const [subject, predicate] = [factSubject(fact), factPredicate(fact)];
  return (
    <span className="flex min-w-0 items-center gap-2" title={`${subject} ${predicate}`}>
      <KindIcon kind={fact.step_kind} />
      <span className="min-w-0 truncate">
        <span className={fact.kind === 'error' ? 'font-medium text-err' : 'font-medium text-fg'}>{subject}</span>
        <span className="text-fg-2">{` ${predicate}`}</span>
      </span>
    </span>
  );
}

interface ShareProps {
  has: number;
  of: number;
  name: string;
}

/** A share as text and as a bar. */
const Share = ({ has, of, name }: ShareProps) => (
  <span className="grid gap-1">
    <span
      title={share(has, of, name)}
      className={has === 0 ? 'truncate text-fg-3 tabular-nums' : 'truncate tabular-nums'}
    >{`${count(has)} of ${count(of)}`}</span>
    <span aria-hidden="true" className="block h-edge rounded-full bg-line">
      <span
        className={name === 'failed' ? 'block h-full rounded-full bg-err' : 'block h-full rounded-full bg-fg-3'}
        style={{ width: `${of === 0 ? 0 : (100 * has) / of}%` }}
      />
    </span>
  </span>
);
