/**
 * A place in the binary log of one server. Not a GTID: those of several domains have no order among each other, and the
 * nodes of a cluster may count them differently. After a failover the files are others, which `stamp` tells.
 */
export interface BinlogPosition {
  readonly file: string
  readonly offset: number
  /** When the file was begun and by which server: names and offsets come again after RESET MASTER. Empty: not known. */
  readonly stamp: string
}

/** Without a plus sign, which the mark uses. */
export const positionText = ({ file, offset, stamp }: BinlogPosition): string =>
  `${encodeURIComponent(file)}/${offset}/${stamp}`

export function readPosition(text: string): BinlogPosition {
  const [file = '', offset = '4', stamp = ''] = text.split('/')
  return { file: decodeURIComponent(file), offset: Number(offset), stamp }
}

/** Files are numbered, with six digits until there are more. */
export const fileNumber = (file: string): number => Number(file.slice(file.lastIndexOf('.') + 1))

export function comparePositions(left: string, right: string): number {
  const [one, other] = [readPosition(left), readPosition(right)]
  return fileNumber(one.file) - fileNumber(other.file) || one.offset - other.offset
}
