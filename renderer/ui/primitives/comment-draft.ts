import { useState } from 'react';
import { commentMax } from '../../../shared/contract/evaluation/comments.ts';
import { type Mentioned, withMentions } from '../../../shared/mentions.ts';
import { plural } from '../../model/text/format.ts';

/** A comment that is being written: the properties of its field, and what is sent of it. */
export function useCommentDraft() {
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<readonly Mentioned[]>([]);
  const body = withMentions(typed.trim(), picked);
  const excess = body.length - commentMax;
  return {
    body,
    isReady: body !== '' && excess <= 0,
    field: {
      value: typed,
      onValue: setTyped,
      onPick: (person: Mentioned) => setPicked((others) => [...others, person]),
      // Its form as it is sent is longer than what is typed: a mention contains the id of the member.
      problem: excess > 0 ? `The comment is ${plural(excess, 'character')} too long. A mention counts 45 more than its name.` : undefined,
    },
    clear: () => {
      setTyped('');
      setPicked([]);
    },
  };
}
