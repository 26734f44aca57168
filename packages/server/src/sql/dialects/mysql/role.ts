import { DatabaseError, type Row } from '../../driver.ts'

/** The part of a server in its cluster. */
export interface Role {
  /** It refuses writes, but those of users with a privilege for it. */
  readonly readsOnly: boolean
  readonly isGalera: boolean
}

/** Asks for the role. Each kind of server knows other variables. */
export const roleSql = (hasGalera: boolean): string =>
  `select @@global.read_only, ${hasGalera ? '@@global.wsrep_on' : '0'}`

const isOn = (text: string | null | undefined): boolean => text === '1' || text === 'ON'

export const roleOf = ([readOnly, galera]: Row): Role => ({ readsOnly: isOn(readOnly), isGalera: isOn(galera) })

/**
 * A node applies what another one has committed a little later. With this, every read first waits for what was committed
 * anywhere before it began: an answer never follows from permissions, sessions or rows that were replaced.
 */
export const GALERA_SESSION = 'set session wsrep_sync_wait = 1'

/** Answered even by a node that refuses everything else. */
export const GALERA_STATE = `show global status like 'wsrep_ready'`

export const isReadyNode = (state: Row | undefined): boolean => isOn(state?.[1])

export const nodeWithoutQuorum = (): DatabaseError =>
  new DatabaseError('unavailable', 'the node of the cluster has no quorum', '1047')

export const readOnlyServer = (): DatabaseError =>
  new DatabaseError('unavailable', 'the server only reads, and takes no writes', '1290')
