import type { LucideIcon } from 'lucide-react';

const sizes = { small: 'size-3', normal: 'size-4' };

/** Icons are sized by the sheet and never speak: the control around them does. */
export const Icon = ({ of: Picture, size = 'normal' }: { of: LucideIcon; size?: keyof typeof sizes }) => (
  <Picture aria-hidden="true" className={sizes[size]} strokeWidth={1.75} />
);
