/** A file is one schema with this name. */
export const SCHEMA = 'main'
