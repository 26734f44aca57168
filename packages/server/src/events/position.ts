import { invalidPayload } from '@tain/contract'

/** A place in the log. Numbers can be compared within one epoch only. */
export interface Position {
  readonly epoch: string
  readonly number: number
}

const FORM = /^([A-Za-z0-9]{1,32})-(\d{1,15})$/u

export const positionText = ({ epoch, number }: Position): string => `${epoch}-${number}`

/** `name`: the member that holds the text, for the error. */
export function parsePosition(text: unknown, name = 'from'): Position {
  const [, epoch, number] = FORM.exec(typeof text === 'string' ? text : '') ?? []
  if (epoch === undefined) throw invalidPayload(`"${name}" has to be the position of an event`)
  return { epoch, number: Number(number) }
}
