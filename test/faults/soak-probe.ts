// Loaded into the service by npm run verify soak: at SIGUSR2 it tells its heap after garbage collection, and its handles.
import { writeSync } from 'node:fs'

process.on('SIGUSR2', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const heap = Number(((heapUsed + external) / 1024 ** 2).toFixed(2))
  writeSync(2, `soak: ${JSON.stringify({ heap, handles: process.getActiveResourcesInfo().length })}\n`)
})
