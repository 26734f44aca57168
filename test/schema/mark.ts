/** Characters that only what was sent has: whoever finds it in a statement has found where it went. */
export const MARK = 'zq7x'
