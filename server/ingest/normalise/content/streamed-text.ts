import type { Part } from '../normalised.ts';

/** Joins adjacent text parts: Gemini and Genkit record a streamed response as its chunks. */
export function joinedText(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') joined[joined.length - 1] = { type: 'text', text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
