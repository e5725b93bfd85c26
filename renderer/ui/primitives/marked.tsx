/** Text with what was searched for marked in it. Compared without case, as the search does. */
export function Marked({ text, words }: { text: string; words: string }) {
  const wanted = words.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Lower-casing may change lengths (İ): then places would not fit, and nothing is marked.
  if (wanted === '' || lower.length !== text.length) return text;
  const parts: { at: number; text: string; isFound: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ at: from, text: text.slice(from, at), isFound: false });
    from = at + wanted.length;
    parts.push({ at, text: text.slice(at, from), isFound: true });
  }
  parts.push({ at: from, text: text.slice(from), isFound: false });
  return parts.map((part) =>
    part.isFound ? (
      <mark key={part.at} className="bg-mark text-fg">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
