import { createHash } from 'node:crypto'
import type { LoggedChange } from '../events/logged-change.ts'
import { positionText } from '../events/position.ts'
import { parseExactJson } from '../lib/exact-json.ts'
import type { Payload } from '../query/mutation.ts'
import type { NewDelivery } from '../store/delivery-store.ts'
import type { Webhook } from './webhook.ts'

/** A larger row is left out of its delivery. */
const MOST_ITEM = 256 * 1024

/** The delivery of a change; `item` is the row to send, null after a delete. */
export function deliveryOf(
  change: LoggedChange,
  item: string | null,
  { id: webhook }: Pick<Webhook, 'id'>,
  epoch: string,
  keyJson: string,
): NewDelivery {
  const { position: number, collection, key, kind } = change
  const position = positionText({ epoch, number })
  return {
    id: deliveryId(webhook, epoch, number),
    type: `${collection}.${kind}`,
    collection,
    key,
    position,
    number,
    item: digest(`${collection}\n${key}`),
    content: contentOf(change, item, position, keyJson),
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The same each time that the same change is found for the same webhook; in the order of the log. */
const deliveryId = (webhook: string, epoch: string, number: number): string =>
  `evt_${number.toString(36).padStart(10, '0')}_${digest(`${webhook} ${epoch} ${number}`).slice(0, 20)}`

function contentOf(change: LoggedChange, item: string | null, position: string, keyJson: string): string {
  const { collection, kind, user, at } = change
  const isTooLarge = kind !== 'delete' && (item === null || Buffer.byteLength(item) > MOST_ITEM)
  const members = [
    `"collection":${JSON.stringify(collection)}`,
    `"event":${JSON.stringify(kind)}`,
    `"key":${keyJson}`,
    `"item":${isTooLarge ? 'null' : item}`,
    `"position":${JSON.stringify(position)}`,
    `"user":${JSON.stringify(user)}`,
    ...(isTooLarge ? ['"truncated":true'] : []),
  ]
  return `{"type":${JSON.stringify(`${collection}.${kind}`)},"timestamp":${JSON.stringify(at)},"data":{${members.join(',')}}}`
}

/** The row with these fields alone. */
export function cutRow(row: string, fields: readonly string[] | null): string {
  if (fields === null) return row
  const parsed = parseExactJson(row) as Payload
  return JSON.stringify(Object.fromEntries(fields.flatMap((name) => (name in parsed ? [[name, parsed[name]]] : []))))
}
