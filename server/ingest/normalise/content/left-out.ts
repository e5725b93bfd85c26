/** What was sent on without its words, because somebody wanted them to stay where they were. */
import type { RawEvent } from '../../otlp/raw-span.ts';

/** An attribute that says which others were left out. What is left of an event beside it is no content. */
export const droppedMark = 'glasshouse.valve.dropped';

export const isLeftOut = ({ attributes }: RawEvent): boolean => attributes.some(([key]) => key === droppedMark);
