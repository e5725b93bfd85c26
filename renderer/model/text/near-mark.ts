/** As much text before the first mark as has room in a narrow column. */
const beforeMax = 10;

interface MarkedText {
  text: string;
  marks: readonly (readonly [number, number])[];
}

/** A marked text that begins shortly before its first mark, so that the mark is seen where only its start has room. */
export function nearMark({ text, marks }: MarkedText): MarkedText {
  const first = marks[0]?.[0] ?? 0;
  if (first <= beforeMax) return { text, marks };
  const space = text.slice(0, first).trimEnd().lastIndexOf(' ') + 1;
  const from = Math.max(space, first - beforeMax);
  const shift = from - 1;
  return { text: `…${text.slice(from)}`, marks: marks.map(([start, end]) => [start - shift, end - shift] as const) };
}
