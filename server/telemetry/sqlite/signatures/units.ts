/** Signatures cover spans by row id: `unitSpans` spans are a unit, `unitsMax` units a group. A block is a part of a group that is stored early. */
export const unitSpans = 256;
export const groupUnits = 64;
export const blockUnits = 8;

/** Increase it when words, their entries or the rules of rewritten texts change: other signatures are then made anew. */
export const signatureFormat = 2;

export const unitOf = (span: number): number => Math.floor(span / unitSpans);
export const groupOf = (unit: number): number => Math.floor(unit / groupUnits);
