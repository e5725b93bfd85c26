/** Counts over time as small bars, the largest as high as the row allows; a step without any is a line. */
export function TrendBars({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(1, ...counts);
  return (
    <span role="img" aria-label={label} title={label} className="flex h-5 items-end gap-0.5">
      {counts.map((count, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: steps in their order
          key={at}
          className={count === 0 ? 'h-hair flex-1 bg-line-2' : 'min-h-edge flex-1 rounded-key bg-err'}
          style={count === 0 ? undefined : { height: `${(count / most) * 100}%` }}
        />
      ))}
    </span>
  );
}
