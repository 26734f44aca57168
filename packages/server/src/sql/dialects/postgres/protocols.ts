import type { PostgresProtocol } from '../../database.ts'
import type { Protocol } from './connection.ts'
import { directProtocol } from './direct-protocol.ts'
import { driverProtocol } from './driver-protocol.ts'

export const protocols: Readonly<Record<PostgresProtocol, Protocol>> = {
  direct: directProtocol,
  driver: driverProtocol,
}
