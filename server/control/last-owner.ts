/** A tenant would be left without anybody who may do everything. */
export class LastOwner extends Error {
  constructor() {
    super('A team needs an owner: make somebody else one first');
    this.name = 'LastOwner';
  }
}
