/** Events whose content was dropped by redaction rules before they were forwarded. */
import type { RawEvent } from '../../otlp/raw-span.ts';

/** Attribute that lists the attributes dropped by redaction. The other attributes of such an event are not content. */
export const droppedMark = 'glasshouse.valve.dropped';

export const hasDroppedContent = ({ attributes }: RawEvent): boolean => attributes.some(([key]) => key === droppedMark);
