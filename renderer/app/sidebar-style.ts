/** Styles that the items of the sidebar share. */
export const sidebarItem =
  'flex h-row w-full shrink-0 items-center gap-2 rounded-control px-2 text-left text-fg-2 text-row hover:bg-hover hover:text-fg';

/** Classes of what is shown only beside an icon: not in a folded sidebar, nor in a narrow window. Tailwind finds whole names only. */
const labelledDisplay = {
  block: 'hidden sidebar:block',
  flex: 'hidden sidebar:flex',
  grid: 'hidden sidebar:grid',
} as const;

export const labelDisplay = (isFolded: boolean, display: keyof typeof labelledDisplay): string =>
  isFolded ? 'hidden' : labelledDisplay[display];

/** Classes of what is shown only where labels are not. */
export const iconOnlyDisplay = (isFolded: boolean): string => (isFolded ? 'block' : 'sidebar:hidden');
