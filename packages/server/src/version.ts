/** The version of all packages; a test compares it with package.json. */
export const version = '0.1.0'
