import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Many starts of the same program: what was compiled once is kept. */
export const COMPILE_CACHE = join(tmpdir(), `tain-compile-cache-${process.getuid?.() ?? 0}`)
