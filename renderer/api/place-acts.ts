/** What can be done with traces, spans and sessions, each in a dialog of its own. */
import { scoresPerBatchMax } from '../../shared/contract/evaluation/score-draft.ts';
import type { Permission } from '../../shared/contract/identity/permissions.ts';
import { taggedIdsMax } from '../../shared/contract/tracing/trace-tags.ts';
import type { Act } from '../ui/overlays/acts-menu.tsx';
import { type ActKind, openAct, type Place } from '../ui/overlays/chosen-places.ts';
import { useWhyNot } from './identity.ts';
import { useServed } from './served.ts';

interface PlaceAct {
  kind: ActKind;
  key: string;
  label: string;
  about: (of: string) => string;
  /** Capability key of the routes. */
  needs: string;
  permission: Permission;
  /** Most places at once. */
  max: number;
}

const placeActs: readonly PlaceAct[] = [
  {
    kind: 'dataset',
    key: 'd',
    label: 'Add to dataset',
    about: (of) => `Add ${of} to a dataset`,
    needs: 'datasets',
    permission: 'dataset.write',
    max: 100,
  },
  {
    kind: 'queue',
    key: 'q',
    label: 'Add to queue',
    about: (of) => `Add ${of} to a queue`,
    needs: 'annotation_queues',
    permission: 'annotation_queue.write',
    max: 1000,
  },
  {
    kind: 'score',
    key: 'v',
    label: 'Score',
    about: (of) => `Score ${of}`,
    needs: 'scores',
    permission: 'score.write',
    max: scoresPerBatchMax,
  },
  {
    kind: 'comment',
    key: 'm',
    label: 'Comment',
    about: (of) => `Comment on ${of}`,
    needs: 'comments',
    permission: 'comment.write',
    max: 100,
  },
  {
    kind: 'tag',
    key: 'T',
    label: 'Tags',
    about: (of) => `Change the tags of ${of}`,
    needs: 'trace_tags',
    permission: 'trace.write',
    max: taggedIdsMax,
  },
];

/**
 * @param of what the places are, such as `the selected traces`
 * @param except what an act is for instead
 */
export function usePlaceActs(places: readonly Place[], of: string, except: Partial<Record<ActKind, string>> = {}): readonly Act[] {
  const isServed = useServed();
  const whyNot = useWhyNot();
  return placeActs
    .filter(({ needs }) => isServed(needs))
    .map(({ kind, key, label, about, permission, max }) => ({
      key,
      label,
      of: except[kind] ?? of,
      about: about(except[kind] ?? of),
      whyNot: whyNot(permission) ?? (places.length > max ? `At most ${max} at once` : undefined),
      run: () => openAct(kind, places),
    }));
}
