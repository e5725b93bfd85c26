import { plural } from '../../model/text/format.ts';
import { Segmented } from '../primitives/segmented.tsx';
import type { Place } from './chosen-places.ts';

export type PlaceKind = 'span' | 'trace' | 'session';

const optionsOf = ({ traceId, spanId, sessionId }: Place, withSession: boolean): { id: PlaceKind; label: string }[] => {
  if (spanId !== '')
    return [
      { id: 'span', label: 'This span' },
      { id: 'trace', label: 'Its trace' },
    ];
  if (sessionId === undefined || !withSession || traceId === '') return [];
  return [
    { id: 'trace', label: 'This turn' },
    { id: 'session', label: 'The session' },
  ];
};

/** What a dialog acts on at first: the span, otherwise the session if it takes sessions, otherwise the trace. */
export function firstKind(places: readonly Place[], withSession = false): PlaceKind {
  const [first] = places;
  if (places.length !== 1 || first === undefined) return 'trace';
  if (first.spanId !== '') return 'span';
  return withSession && first.sessionId !== undefined ? 'session' : 'trace';
}

export function idOf({ traceId, spanId, sessionId = '' }: Place, kind: PlaceKind): string {
  return { span: spanId, trace: traceId, session: sessionId }[kind];
}

/** `this span`, `this trace`, `this session`, `12 traces`. */
export const inWords = (places: readonly Place[], kind: PlaceKind): string =>
  places.length === 1 ? `this ${kind}` : plural(places.length, 'trace');

interface PlaceKindsProps {
  label: string;
  places: readonly Place[];
  kind: PlaceKind;
  onKind: (kind: PlaceKind) => void;
  withSession?: boolean;
}

/** Choice between a span and its trace, or a turn and its session; nothing where there is no choice. */
export function PlaceKinds({ label, places, kind, onKind, withSession = false }: PlaceKindsProps) {
  const [first] = places;
  const options = places.length === 1 && first ? optionsOf(first, withSession) : [];
  return (
    options.length > 0 && (
      <div className="flex">
        <Segmented label={label} options={options} value={kind} onChange={onKind} />
      </div>
    )
  );
}
