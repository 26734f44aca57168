/** Facts that arrive with responses and concern the whole app. Components read them through `useSignal`. */
interface Facts {
  readonly schemaVersion: string | null
  readonly isConnected: boolean
  readonly isSessionEnded: boolean
  /** Counts how often the connection or the session came back: what could not be read is read again. */
  readonly returns: number
  /** The user as whom everything is read; null: as oneself. */
  readonly viewedAs: { readonly id: string; readonly name: string } | null
}

let facts: Facts = { schemaVersion: null, isConnected: true, isSessionEnded: false, returns: 0, viewedAs: null }
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
  seeConnection: (isConnected: boolean): void => {
    const isBack = isConnected && !facts.isConnected
    change({ isConnected, returns: facts.returns + (isBack ? 1 : 0) })
  },
  /** Counts sign-ins, so that a request sent before one is not taken for a lost session. */
  sessionVersion: (): number => version,
  endSession: (): void => change({ isSessionEnded: true }),
  beginSession: (): void => {
    version += 1
    change({ isSessionEnded: false, returns: facts.returns + (facts.isSessionEnded ? 1 : 0) })
  },
  viewedAs: (): string | null => facts.viewedAs?.id ?? null,
  /** Why nothing can be changed now; null: it can. */
  whyNotWritten: (): string | null =>
    facts.viewedAs === null ? null : `You see what ${facts.viewedAs.name} sees. Stop that to change something.`,
  viewAs: (viewedAs: Facts['viewedAs']): void => change({ viewedAs }),
}

export type { Facts }
