/** The version of all packages; a test compares it with package.json. */
export const version = '0.1.0'

/** The oldest Node.js that the service runs on; the same test compares it. */
export const neededNode = '24.15'
