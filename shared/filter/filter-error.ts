import type { Operator } from './fields.ts';

/** Why a filter cannot be used, and where. `operator` is the canonical name, as GET /v1/filter-schema lists it. */
export class FilterError extends Error {
  /** 0-based index into the text, in UTF-16 code units; absent for filters in the JSON form. */
  readonly position: number | undefined;
  readonly field: string | undefined;
  readonly operator: Operator | undefined;
  /** The field that was probably meant by an unknown one. */
  readonly suggestion: string | undefined;

  constructor(message: string, at: Partial<Pick<FilterError, 'position' | 'field' | 'operator' | 'suggestion'>> = {}) {
    super(message);
    this.name = 'FilterError';
    this.position = at.position;
    this.field = at.field;
    this.operator = at.operator;
    this.suggestion = at.suggestion;
  }

  /** The additional fields of the error answer. */
  extras(): Record<string, unknown> {
    const { position, field, operator, suggestion } = this;
    return {
      ...(position === undefined ? {} : { position }),
      ...(field === undefined ? {} : { field }),
      ...(operator === undefined ? {} : { operator }),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
}

const quotedLengthMax = 40;

/** A part of the filter in an error message; long ones are shortened. */
export function quoted(text: string): string {
  const whole = text.length <= quotedLengthMax ? text : `${text.slice(0, quotedLengthMax).toWellFormed()}…`;
  return JSON.stringify(whole);
}
