/** Question to the user. Electron shows it (main/dialogs.ts); the callers are plain Node. */
export interface Question {
  type: 'question' | 'warning' | 'info';
  message: string;
  detail: string;
  /** Escape chooses the last one. */
  buttons: string[];
}

/** Resolves to the index of the chosen button. */
export type Ask = (question: Question) => Promise<number>;
