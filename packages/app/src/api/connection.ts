import { get } from './client.ts'
import { signals } from './signals.ts'

const EVERY = 3_000

/** Asks the service from time to time whether it is back, as long as it cannot be reached. */
export function followConnection(): () => void {
  let timer: ReturnType<typeof setInterval> | null = null
  const ask = (): void => void get('/server/ping').catch(() => undefined)
  const follow = (): void => {
    const { isConnected } = signals.facts()
    if (!isConnected) timer ??= setInterval(ask, EVERY)
    if (!isConnected || timer === null) return
    clearInterval(timer)
    timer = null
  }
  const lose = (): void => signals.seeConnection(false)
  addEventListener('offline', lose)
  addEventListener('online', ask)
  const stop = signals.subscribe(follow)
  return () => {
    stop()
    if (timer !== null) clearInterval(timer)
    removeEventListener('offline', lose)
    removeEventListener('online', ask)
  }
}
