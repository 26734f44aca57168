/** The structure or the rights that the write was bound to are not the newest any more. */
export class StaleVersionError extends Error {
  readonly stamp: string

  constructor(stamp: string) {
    super('structure or rights have changed')
    this.name = 'Outdated'
    this.stamp = stamp
  }
}
