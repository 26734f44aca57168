// Loaded into the service before it starts: notes how long the event loop was kept from its next turn.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['HOSTILE_MONITOR']
const TURN = 10
const WORTH_NOTING = 100

if (isMainThread && file !== undefined) {
  let last = performance.now()
  let spent = process.threadCpuUsage()
  setInterval(() => {
    const now = performance.now()
    const used = process.threadCpuUsage(spent)
    spent = process.threadCpuUsage()
    const wall = now - last - TURN
    // Time of the processor is what the service itself takes; the rest belongs to whoever else uses the machine.
    const busy = (used.user + used.system) / 1000
    if (wall > WORTH_NOTING)
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), wall: Math.round(wall), busy: Math.round(busy) })}\n`)
    last = now
  }, TURN).unref()
}
