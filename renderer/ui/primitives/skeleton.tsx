/** Grey placeholder of a line of text in the real layout. Shown only when loading takes a moment. */
export const SkeletonLine = ({ wide = false }: { wide?: boolean }) => (
  <span className={wide ? 'block h-2 w-3/5 rounded-key bg-raised' : 'block h-2 w-2/5 rounded-key bg-raised'} />
);

export function SkeletonRows({ rows = 14, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="after-a-moment">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={i} className="flex h-row items-center gap-3 px-pad">
          <span className="size-kind shrink-0 rounded-kind bg-raised" />
          <SkeletonLine wide={i % 3 === 0} />
        </div>
      ))}
    </div>
  );
}

/** Placeholders of cards. */
export const SkeletonCards = ({ label }: { label: string }) => (
  <div role="status" aria-label={label} className="after-a-moment grid gap-2.5">
    {['system', 'user', 'assistant'].map((role) => (
      <div key={role} className="grid gap-2 rounded-card border border-line p-2.5">
        <SkeletonLine />
        <SkeletonLine wide />
      </div>
    ))}
  </div>
);
