/** Reads values of files that other programs write: anything may be missing, renamed or of another type. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without properties for anything else. */
export const jsonAt = (from: Json, key: string): Json => (isJson(from[key]) ? from[key] : {});

export const listAt = (from: Json, key: string): readonly unknown[] => (Array.isArray(from[key]) ? from[key] : []);

export const textAt = (from: Json, key: string): string => (typeof from[key] === 'string' ? from[key] : '');

/** 0 unless it is a number above 0. */
export const amountAt = (from: Json, key: string): number => {
  const value = from[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
};

/** Null for text that is not a JSON object, as the last line of a file that is being written. */
export function readJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}
