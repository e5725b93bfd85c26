/** Text in which parts are marked. @param marks start and end of each, in order and without overlaps */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  const parts = marks.flatMap(([start, end], at) => {
    const from = marks[at - 1]?.[1] ?? 0;
    return [
      text.slice(from, start),
      <mark key={start} className="rounded-key bg-mark text-fg">
        {text.slice(start, end)}
      </mark>,
    ];
  });
  return [...parts, text.slice(marks.at(-1)?.[1] ?? 0)];
}
