import { ServiceError } from '@tain/contract'

const words = {
  insert: 'did not insert a row',
  update: 'did not change a row',
  delete: 'did not delete a row',
} as const

/** A trigger or rule can make a statement succeed without effect; the whole request is then rolled back. */
export function skipped(what: keyof typeof words): ServiceError {
  const reason = `The database ${words[what]}: one of its triggers or rules skips it`
  return new ServiceError('UNPROCESSABLE_CONTENT', `Can't process content. ${reason}.`, { reason })
}
