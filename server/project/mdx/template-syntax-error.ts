/** A template is not valid, with the location of the error. Lines and columns count from 1. */
export class TemplateSyntaxError extends SyntaxError {
  readonly line: number;
  readonly column: number;
  /** The imported file with the error; null when it is in the template itself. */
  readonly file: string | null;

  constructor(message: string, { line, column } = { line: 1, column: 1 }, file: string | null = null) {
    super(message);
    this.line = line;
    this.column = column;
    this.file = file;
  }
}
