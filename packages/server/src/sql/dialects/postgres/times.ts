import { readTimestamp, readTime } from '../../time-text.ts'

/** Timestamps that only PostgreSQL has, as it prints them. */
const own = /^(?:-?infinity|\d{4,6}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:\+00)?)? BC)$/u

export const isTimestampText = (text: string): boolean => readTimestamp(text) !== null || own.test(text)

export const isTimeText = (text: string): boolean => readTime(text) !== null
