/** A question to the user. Electron draws it (main/dialogs.ts); whoever asks stays plain Node. */
export interface Question {
  type: 'question' | 'warning' | 'info';
  message: string;
  detail: string;
  /** The last one is what Escape means. */
  buttons: string[];
}

/** Gives the index of the chosen button. */
export type Ask = (question: Question) => Promise<number>;
