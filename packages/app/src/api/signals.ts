/** Facts that arrive with responses and concern the whole app. Components read them through `useSignal`. */
interface Facts {
  readonly schemaVersion: string | null
  readonly isConnected: boolean
  readonly isSessionEnded: boolean
  /** The user as whom everything is read; null: as oneself. */
  readonly viewedAs: { readonly id: string; readonly name: string } | null
}

let facts: Facts = { schemaVersion: null, isConnected: true, isSessionEnded: false, viewedAs: null }
let version = 0
const listeners = new Set<() => void>()

function change(part: Partial<Facts>): void {
  const isSame = (Object.keys(part) as (keyof Facts)[]).every((name) => facts[name] === part[name])
  if (isSame) return
  facts = { ...facts, ...part }
  for (const listen of listeners) listen()
}

export const signals = {
  subscribe: (listen: () => void): (() => void) => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  },
  facts: (): Facts => facts,
  seeSchemaVersion: (schemaVersion: string): void => change({ schemaVersion }),
  seeConnection: (isConnected: boolean): void => change({ isConnected }),
  /** Counts sign-ins, so that a request sent before one is not taken for a lost session. */
  sessionVersion: (): number => version,
  endSession: (): void => change({ isSessionEnded: true }),
  beginSession: (): void => {
    version += 1
    change({ isSessionEnded: false })
  },
  viewedAs: (): string | null => facts.viewedAs?.id ?? null,
  viewAs: (viewedAs: Facts['viewedAs']): void => change({ viewedAs }),
}

export type { Facts }
