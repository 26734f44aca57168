/** Tells whether anybody still waits for an answer. It is looked at now and then: nobody has to listen to it. */
export interface AbortFlag {
  readonly aborted: boolean
}
