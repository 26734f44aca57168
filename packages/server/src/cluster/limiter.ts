import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** The remaining allowance of a key. */
export interface Allowance {
  readonly isExceeded: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until points are available again. */
  readonly wait: number
}

/** Limits the points per key and period. */
export interface Limiter {
  consume(key: string): Promise<Allowance>
  /** Whether another request would exceed the limit, without counting one. */
  look(key: string): Promise<Allowance>
  /** Restores all points of a key. */
  restore(key: string): Promise<void>
}

export interface LimiterOptions {
  /** Separates its keys from those of other limiters in a shared store. */
  readonly name: string
  readonly points: number
  readonly seconds: number
}

export type CreateLimiter = (options: LimiterOptions) => Limiter

/** Counts in this process. */
export function createMemoryLimiter({ name, points, seconds }: LimiterOptions): Limiter {
  const counter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
  const allowance = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): Allowance => ({
    isExceeded,
    limit: points,
    remaining: Math.max(0, remainingPoints),
    wait: Math.max(0, msBeforeNext),
  })
  return {
    async consume(key) {
      try {
        return allowance(await counter.consume(key), false)
      } catch (error) {
        if (error instanceof RateLimiterRes) return allowance(error, true)
        throw error
      }
    },
    async look(key) {
      const found = await counter.get(key)
      if (found === null) return { isExceeded: false, limit: points, remaining: points, wait: 0 }
      return allowance(found, found.consumedPoints >= points)
    },
    async restore(key) {
      await counter.delete(key)
    },
  }
}
