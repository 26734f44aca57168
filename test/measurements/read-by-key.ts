// Reads one item again and again in a process of its own: who also hears ten thousand sockets would time itself.
import { argv } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorization } from './service.ts'

const state = { isOver: false }
process.once('message', () => (state.isOver = true))
const times: number[] = []
while (!state.isOver) {
  const began = performance.now()
  await (await fetch(argv[2] ?? '', { headers: authorization })).arrayBuffer()
  times.push(performance.now() - began)
  await sleep(5)
}
process.send?.(times, () => process.disconnect())
