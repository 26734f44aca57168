/** The schema or the permissions that the write was bound to are no longer current. */
export class StaleVersionError extends Error {
  readonly stamp: string

  constructor(stamp: string) {
    super('schema or permissions have changed')
    this.name = 'StaleVersionError'
    this.stamp = stamp
  }
}
