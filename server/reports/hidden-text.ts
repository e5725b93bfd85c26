/** Hides secrets and personal data in what a report quotes from programs; its own words, ids and figures stay. */

/** @returns the texts with tokens in place of what is hidden, in the same order */
export type Hide = (texts: readonly string[]) => Promise<string[]>;

interface HidingOptions {
  /** Characters. Tokens count too. */
  lengthMax: number;
  viewerUrl: string;
  hide: Hide;
}

/** Recorded text, the last of which may be cut off, and links, which may hold recorded ids. */
const hideable = /⟦[^⟦⟧]*(?:⟧|$)|https?:\/\/\S+/g;

/** Tokens may be longer than what they hide, so the report may have to be made shorter. */
const triesMax = 6;
const shrink = 0.95;

/** @param text the report within a number of characters */
export async function hiddenText(text: (lengthMax: number) => string, { lengthMax, viewerUrl, hide }: HidingOptions): Promise<string> {
  let left = lengthMax;
  let hidden = '';
  for (let tries = 0; tries < triesMax; tries++) {
    hidden = await hiddenIn(text(left), viewerUrl, hide);
    if (hidden.length <= lengthMax) return hidden;
    left = Math.floor((left * lengthMax * shrink) / hidden.length);
  }
  return hidden.slice(0, lengthMax).toWellFormed();
}

async function hiddenIn(text: string, viewerUrl: string, hide: Hide): Promise<string> {
  const pieces = (text.match(hideable) ?? []).map((piece) => (piece.startsWith('⟦') ? piece : decoded(piece)));
  const hidden = await hide(pieces);
  let at = 0;
  return text.replace(hideable, (piece) => {
    const [before, after] = [pieces[at] as string, hidden[at] as string];
    at++;
    if (piece.startsWith('⟦')) return after;
    // A link with a token in it would lead nowhere.
    return before === after ? piece : `${viewerUrl}/`;
  });
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}
