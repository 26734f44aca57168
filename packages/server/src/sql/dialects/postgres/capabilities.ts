/** Answers in which the engines that speak PostgreSQL's protocol differ. Statements depend on these, never on a name. */
export interface Capabilities {
  /** `advisory`: locks of the database hold for all replicas. `lease`: they do not, so a row of the service does it. */
  readonly locks: 'advisory' | 'lease'
  /** `xmin`: each row tells the transaction that wrote it. `hash`: it does not, so its values are hashed. */
  readonly rowVersion: 'xmin' | 'hash'
  /** How a changed catalogue is noticed: by the transactions that wrote its rows, or by their content. */
  readonly fingerprint: 'xmin' | 'content'
  /** Rows that another session has locked can be left out. */
  readonly skipLocked: boolean
  /** Operators and types can be written with their schema, as `operator(pg_catalog.=)`. */
  readonly qualifiedNames: boolean
}

interface Engine {
  readonly name: string
  /** In the text of `select version()`. */
  readonly sign: RegExp
  /** The tests run on this engine. What the others can do was read, not tried. */
  readonly isTested: boolean
  readonly can: Capabilities
}

const postgresql: Capabilities = {
  locks: 'advisory',
  rowVersion: 'xmin',
  fingerprint: 'xmin',
  skipLocked: true,
  qualifiedNames: true,
}

/** Without transaction numbers, and with locks that hold on one node or do nothing. */
const distributed: Capabilities = {
  ...postgresql,
  locks: 'lease',
  rowVersion: 'hash',
  fingerprint: 'content',
  qualifiedNames: false,
}

/** The first that fits. Every server is PostgreSQL unless it says otherwise: providers and forks keep its answers. */
export const engines: readonly [...Engine[], Engine] = [
  { name: 'CockroachDB', sign: /cockroachdb/iu, isTested: false, can: distributed },
  { name: 'YugabyteDB', sign: /-YB-/u, isTested: false, can: distributed },
  { name: 'PostgreSQL', sign: /(?:)/u, isTested: true, can: postgresql },
]

const engineOf = (version: string): Engine => engines.find(({ sign }) => sign.test(version)) ?? engines[2]!

/** The connected server. Its capabilities are known after `meet`; no statement is planned before that. */
export interface Server {
  readonly can: Capabilities
  readonly isMet: boolean
  meet(version: string): void
}

export function createServer(): Server {
  let met: Engine | null = null
  return {
    get can() {
      return met?.can ?? postgresql
    },
    get isMet() {
      return met !== null
    },
    meet(version) {
      met ??= engineOf(version)
    },
  }
}

/** A server whose capabilities are known without a connection. */
export const serverThat = (can: Partial<Capabilities> = {}): Server => ({
  can: { ...postgresql, ...can },
  isMet: true,
  meet: () => undefined,
})
