/** A name that must be unique is taken. */
export class Duplicate extends Error {
  constructor(what: string, name: string) {
    super(`There is ${/^[aeiou]/i.test(what) ? 'an' : 'a'} ${what} named ${JSON.stringify(name)} already`);
    this.name = 'Duplicate';
  }
}
