import { createMutex, type Mutex } from './mutex.ts'

/** A mutex for each name, kept as long as somebody holds it or waits for it. */
export interface Mutexes {
  take(name: string): Promise<() => void>
}

export function createMutexes(): Mutexes {
  const held = new Map<string, { readonly mutex: Mutex; count: number }>()
  return {
    async take(name) {
      const entry = held.get(name) ?? { mutex: createMutex(), count: 0 }
      held.set(name, entry)
      entry.count += 1
      const release = await entry.mutex.take()
      return () => {
        release()
        entry.count -= 1
        if (entry.count === 0) held.delete(name)
      }
    },
  }
}
