import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes after which buffers that nobody holds any more are given back. */
const EACH = 16 * 1024 ** 2

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void
setFlagsFromString('--no-expose-gc')

let passed = 0

/**
 * Each piece of content that passes through is a buffer outside the heap. The heap hardly grows by them, so they would be
 * freed only once 64 MB of them wait.
 */
export function countStreamed(bytes: number): void {
  passed += bytes
  if (passed < EACH) return
  passed = 0
  collect({ type: 'minor' })
}
