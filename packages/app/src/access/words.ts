import { titleOf } from '../model/field.ts'

/** Collections of the service lose their prefix: people know them as users, roles, policies. */
export const collectionWords = (collection: string): string => titleOf(collection.replace(/^service_/u, ''))

/** `1 person`, `4 people`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
