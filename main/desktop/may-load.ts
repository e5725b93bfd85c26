/** Network access of a window: its own origin, and addresses that never leave the process. */
export interface Confinement {
  /** The page; its origin is all the window can reach. */
  page: string;
  isPackaged: boolean;
}

export function mayLoad(url: string, { page, isPackaged }: Confinement): boolean {
  const [target, own] = [URL.parse(url), new URL(page)];
  switch (target?.protocol) {
    case 'http:':
    case 'ws:': // Vite's, in development.
      return target.host === own.host;
    case 'blob:':
      return target.origin === own.origin;
    case 'data:':
      return true; // Never leaves the process.
    case 'devtools:':
      return target.host === 'devtools' && !isPackaged;
    default:
      return false;
  }
}
