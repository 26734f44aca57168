/** Whether the client has stopped waiting for the response. It is polled from time to time and needs no listener. */
export interface AbortFlag {
  readonly aborted: boolean
}
