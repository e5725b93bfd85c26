/** Grey where words will stand, in the real layout. Shown only when the answer takes longer than a blink. */
export const Bone = ({ wide = false }: { wide?: boolean }) => (
  <span className={wide ? 'block h-2 w-3/5 rounded-key bg-raised' : 'block h-2 w-2/5 rounded-key bg-raised'} />
);

export function SkeletonRows({ rows = 14, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="after-a-moment">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bones of a skeleton have no identity
        <div key={i} className="flex h-row items-center gap-3 px-pad">
          <span className="size-kind shrink-0 rounded-kind bg-raised" />
          <Bone wide={i % 3 === 0} />
        </div>
      ))}
    </div>
  );
}

/** Where cards will stand. */
export const SkeletonCards = ({ label }: { label: string }) => (
  <div role="status" aria-label={label} className="after-a-moment grid gap-2.5">
    {['system', 'user', 'assistant'].map((each) => (
      <div key={each} className="grid gap-2 rounded-card border border-line p-2.5">
        <Bone />
        <Bone wide />
      </div>
    ))}
  </div>
);
