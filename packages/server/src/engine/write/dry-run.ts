/** Carries the answer of a dry run out of its transaction, which is rolled back by it. */
export class DryRunDone<T> extends Error {
  readonly answer: T

  constructor(answer: T) {
    super('dry run')
    this.answer = answer
  }
}
