const MAX_LENGTH = 255

/** Something, an at sign, and a name of a host; whether anybody reads it only a letter can tell. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && ADDRESS.test(text) && !text.includes('..')
