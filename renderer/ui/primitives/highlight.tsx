/** Text with the search matches highlighted. Case is ignored, as in the search. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const lowerQuery = query.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Lower-casing may change the length (İ): positions would be wrong then, so nothing is highlighted.
  if (lowerQuery === '' || lower.length !== text.length) return text;
  const parts: { at: number; text: string; isMatch: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(lowerQuery); at !== -1; at = lower.indexOf(lowerQuery, from)) {
    if (at > from) parts.push({ at: from, text: text.slice(from, at), isMatch: false });
    from = at + lowerQuery.length;
    parts.push({ at, text: text.slice(at, from), isMatch: true });
  }
  parts.push({ at: from, text: text.slice(from), isMatch: false });
  return parts.map((part) =>
    part.isMatch ? (
      <mark key={part.at} className="bg-mark text-fg">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
