const MB = 1024 ** 2
const SMALL_PARTS = 5000

/**
 * A bucket takes 10,000 parts. They begin small, so that an upload needs little memory, and grow, so that one of 190 GB
 * still fits.
 */
export const partSize = (parts: number): number => (parts < SMALL_PARTS ? 8 : 32) * MB

/** From how many bytes on a part is worth its number; buckets refuse parts below 5 MB unless they are the last one. */
export const leastPart = (parts: number): number => (parts < SMALL_PARTS ? 5 : 32) * MB
