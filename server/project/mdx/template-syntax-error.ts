/** A template that is not MDX, with the place where that shows. Lines and columns count from 1. */
export class TemplateSyntaxError extends SyntaxError {
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}
