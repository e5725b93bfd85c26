/** What is known about other runs with the same failure, in sentences. */
import type { SeenBefore } from '../../../shared/contract/tracing/seen-before.ts';
import { count, plural } from '../text/format.ts';
import { factPredicate, factSubject, separationMin } from './group-words.ts';

export interface SeenWords {
  /** `7 other runs got `, to be followed by the message. */
  before: string;
  message: string;
  failed: string;
  recovered: string;
  /** What was different in those that went well; null if nothing separates them well. */
  different: { name: string; after: string } | null;
}

/** Null when no other run had the failure. */
export function seenWords(seen: SeenBefore): SeenWords | null {
  const { error, failed_count, recovered_count, is_whole } = seen;
  const others = failed_count + recovered_count;
  if (!error || others === 0) return null;
  return {
    before: `${is_whole ? '' : 'At least '}${plural(others, 'other run')} got `,
    message: error.message || `a failure of ${error.name}`,
    failed: failed_count === 0 ? '' : `${count(failed_count)} failed`,
    recovered: recovered_count === 0 ? '' : `${count(recovered_count)} recovered`,
    different: differenceOf(seen),
  };
}

function differenceOf({ facts: [fact], compared, good }: SeenBefore): SeenWords['different'] {
  if (!fact || fact.separation < separationMin) return null;
  const like = `${fact.a.length} of ${compared.a.length} runs like this one`;
  const others = `${fact.b.length} of ${compared.b.length} ${good.length > 0 ? 'good runs' : 'that recovered'}`;
  const isInOthers = fact.b.length / compared.b.length > fact.a.length / compared.a.length;
  return {
    name: factSubject(fact),
    after: ` ${factPredicate(fact)} in ${isInOthers ? `${others} and in ${like}` : `${like} and in ${others}`}.`,
  };
}
