/** A name that must be unique is taken. */
export class Duplicate extends Error {
  /** @param options with the error of the database as its cause, if it found the duplicate */
  constructor(what: string, name: string, options?: ErrorOptions) {
    super(`There is ${/^[aeiou]/i.test(what) ? 'an' : 'a'} ${what} named ${JSON.stringify(name)} already`, options);
    this.name = 'Duplicate';
  }
}
