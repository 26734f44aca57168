/** Characters that only occur in input. Finding them in a statement shows where the input ended up. */
export const MARK = 'zq7x'
