/** Network access of a window: its own origin, and addresses inside the process. */
export interface Confinement {
  /** The page; its origin is all the window can reach. */
  page: string;
  isPackaged: boolean;
}

export function mayLoad(url: string, { page, isPackaged }: Confinement): boolean {
  const [asked, own] = [URL.parse(url), new URL(page)];
  switch (asked?.protocol) {
    case 'http:':
    case 'ws:': // Vite's, in development.
      return asked.host === own.host;
    case 'blob:':
      return asked.origin === own.origin;
    case 'data:':
      return true; // Never leaves the process.
    case 'devtools:':
      return asked.host === 'devtools' && !isPackaged;
    default:
      return false;
  }
}
