/** A file is one schema, and this is its name. */
export const SCHEMA = 'main'
