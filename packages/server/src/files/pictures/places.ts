/** Who may work now: so many at once, and so many wait, each for a limited time. */
export interface Places {
  readonly take: () => Promise<void>
  readonly leave: () => void
}

export function createPlaces(atOnce: number, waiting: number, milliseconds: number, refusal: () => Error): Places {
  const queue: (() => void)[] = []
  let taken = 0

  return {
    take: async () => {
      if (taken < atOnce) {
        taken += 1
        return
      }
      if (queue.length >= waiting) throw refusal()
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(turn), 1)
          reject(refusal())
        }, milliseconds)
        queue.push(turn)
      })
    },
    // The place goes to the one that has waited longest, so that no new one can slip in between.
    leave: () => {
      const next = queue.shift()
      if (next === undefined) taken -= 1
      else next()
    },
  }
}
