/** Bars without an axis, scaled to the highest one; the columns beside them have the numbers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(...values);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${values.length} 16`} preserveAspectRatio="none" className="block h-control w-full py-1">
      {values.map((value, i) => {
        const high = value === 0 || top === 0 ? 0 : Math.max(1, (value / top) * 16);
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
        return <rect key={i} x={i + 0.1} width={0.8} y={16 - high} height={high} className="fill-fg-3" />;
      })}
    </svg>
  );
}
