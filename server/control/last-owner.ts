/** The change would leave a tenant without an owner. */
export class LastOwner extends Error {
  constructor() {
    super('A team needs an owner: make somebody else one first');
    this.name = 'LastOwner';
  }
}
