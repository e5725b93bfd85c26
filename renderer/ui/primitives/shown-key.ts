const shown: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  'Mod+k': 'Ctrl K',
};

/** A key as it is printed on its cap. */
export const shownKey = (key: string): string => shown[key] ?? key;
