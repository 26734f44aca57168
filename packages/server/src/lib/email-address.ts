const MAX_LENGTH = 255

/** A local part, an at sign and a host name. Only a mail can tell whether the address exists. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && ADDRESS.test(text) && !text.includes('..')
