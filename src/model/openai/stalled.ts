/** A call was ended because it had had its share of the time. */
export class Stalled extends Error {
  constructor() {
    super('The call had its share of the time.')
    this.name = 'Stalled'
  }
}
