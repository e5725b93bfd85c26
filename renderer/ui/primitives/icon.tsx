import type { LucideIcon } from 'lucide-react';

const sizes = { small: 'size-3', normal: 'size-4' };

/** An icon in one of two sizes. Hidden from screen readers: the control around it has the accessible name. */
export const Icon = ({ of: Glyph, size = 'normal' }: { of: LucideIcon; size?: keyof typeof sizes }) => (
  <Glyph aria-hidden="true" className={sizes[size]} strokeWidth={1.75} />
);
