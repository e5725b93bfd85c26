/** The mark of the product, as on the tab of the browser. Decorative: the name stands beside it. */
export const Mark = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" className="size-8">
    <rect width="16" height="16" rx="4" className="fill-fg" />
    <rect x="3" y="4" width="10" height="2" rx="1" className="fill-accent" />
    <rect x="5" y="7" width="6" height="2" rx="1" className="fill-panel" />
    <rect x="7" y="10" width="4" height="2" rx="1" className="fill-warm" />
  </svg>
);
