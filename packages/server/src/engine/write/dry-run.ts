/** Carries the result of a dry run out of its transaction. Throwing it rolls the transaction back. */
export class DryRunDone<T> extends Error {
  readonly answer: T

  constructor(answer: T) {
    super('dry run')
    this.answer = answer
  }
}
