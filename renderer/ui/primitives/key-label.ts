const labels: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  'Mod+k': 'Ctrl K',
};

/** A key as it is shown to the user. */
export const keyLabel = (key: string): string => labels[key] ?? key;
