import { randomUUID } from 'node:crypto'
import type { Database } from '../sql/database.ts'
import type { Row } from '../sql/driver.ts'
import {
  createServiceStatements,
  inTransaction,
  isTrue,
  type RunServiceStatement,
} from '../sql/service/run-service-statement.ts'

/** `pieces`: over many requests; `direct`: past the service, or by an address that anyone may write to. */
export type UploadKind = 'pieces' | 'direct'

/** An upload that is not complete yet. Content and state are JSON texts of whoever created it. */
export interface StoredUpload {
  readonly id: string
  readonly kind: string
  readonly caller: string
  readonly content: string
  readonly state: string
  /** The file that it has become. */
  readonly file: string | null
  /** Milliseconds until it expires. */
  readonly remaining: number
  /** Somebody writes it. */
  readonly isHeld: boolean
}

/** An upload that only the holder of this value may change. */
export interface HeldUpload extends StoredUpload {
  /** Throws if it was not renewed in time: another replica may write it now. */
  readonly keep: (state: string, file: string | null, lifetime: number) => Promise<void>
  readonly remove: () => Promise<void>
  /** Has no effect after `remove`. */
  readonly release: () => Promise<void>
}

/** Uploads of all replicas. */
export interface UploadStore {
  create(upload: Omit<StoredUpload, 'file' | 'isHeld'>): Promise<void>
  read(id: string): Promise<StoredUpload | null>
  /** Null: there is no such upload; busy: somebody else holds it. */
  take(id: string): Promise<HeldUpload | 'busy' | null>
  /** The ids of some that have expired. */
  expired(): Promise<readonly string[]>
  /** Holds one that has expired; null: somebody else does, or has removed it. */
  takeExpired(id: string): Promise<HeldUpload | null>
  /** The states and contents of all. */
  all(): Promise<readonly { readonly content: string; readonly state: string }[]>
}

/** A replica that vanishes keeps an upload this long; clients try again for about as long. */
const HELD = 8000
const RENEWED = 2000

export class UploadLost extends Error {}

type Hold = (id: string) => Promise<Pick<HeldUpload, 'keep' | 'remove' | 'release'> & { readonly holder: string }>

interface Access {
  readonly statements: Database['uploads']
  readonly ask: RunServiceStatement
  readonly write: (statement: Database['uploads']['take'], values: readonly string[]) => Promise<readonly Row[]>
  readonly rowOf: (id: string) => Promise<Row | undefined>
}

export function createUploadStore(database: Database, systemSchema: string): UploadStore {
  const { driver, uploads: statements } = database
  const ask = createServiceStatements(database, systemSchema)
  const access: Access = {
    statements,
    ask,
    write: (statement, values) => inTransaction(driver, (transaction) => ask(statement, values, transaction)),
    rowOf: async (id) => (await ask(statements.read, [id]))[0],
  }
  return {
    async create({ id, kind, caller, content, state, remaining }) {
      await ask(statements.create, [id, kind, caller, content, state, String(remaining)])
    },
    async read(id) {
      const row = await access.rowOf(id)
      return row === undefined ? null : uploadIn(id, row)
    },
    ...taking(access, createHold(access)),
    async expired() {
      const rows = await ask(statements.expired)
      return rows.map(([id]) => id ?? '')
    },
    async all() {
      const rows = await ask(statements.all)
      return rows.map(([content, state]) => ({ content: content ?? '', state: state ?? '' }))
    },
  }
}

const createHold =
  ({ statements, write, rowOf }: Access): Hold =>
  async (id) => {
    const holder = randomUUID()
    const renew = () => write(statements.renew, [id, holder, String(HELD)])
    await write(statements.take, [id, holder, String(HELD)])
    const timer = setInterval(() => void renew().catch(() => undefined), RENEWED)
    timer.unref()
    return {
      holder,
      async keep(state, file, lifetime) {
        await renew()
        await write(statements.keep, [id, holder, state, file ?? '', String(lifetime)])
        if ((await rowOf(id))?.[5] !== holder) throw new UploadLost('another replica writes this upload')
      },
      async remove() {
        clearInterval(timer)
        await write(statements.remove, [id, holder])
      },
      async release() {
        clearInterval(timer)
        await write(statements.release, [id, holder])
      },
    }
  }

const taking = ({ rowOf }: Access, hold: Hold): Pick<UploadStore, 'take' | 'takeExpired'> => ({
  async take(id) {
    const { holder, ...held } = await hold(id)
    const row = await rowOf(id)
    const upload = row === undefined ? null : uploadIn(id, row)
    if (upload !== null && row?.[5] === holder && upload.remaining > 0) return { ...upload, ...held }
    await held.release()
    return upload === null || row?.[5] === holder ? null : 'busy'
  },
  async takeExpired(id) {
    const { holder, ...held } = await hold(id)
    const row = await rowOf(id)
    const upload = row === undefined ? null : uploadIn(id, row)
    // Somebody may have continued it meanwhile.
    if (upload !== null && row?.[5] === holder && upload.remaining <= 0) return { ...upload, ...held }
    await held.release()
    return null
  },
})

const uploadIn = (id: string, [kind, caller, content, state, file, , remaining, isHeld]: Row): StoredUpload => ({
  id,
  kind: kind ?? '',
  caller: caller ?? '',
  content: content ?? '',
  state: state ?? '',
  file: file ?? null,
  remaining: Number(remaining ?? 0),
  isHeld: isTrue(isHeld),
})
