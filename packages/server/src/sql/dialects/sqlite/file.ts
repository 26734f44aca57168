/**
 * The file that a URL names, or null for another kind of database: `sqlite:./my.db`, `sqlite:/var/my.db`,
 * `sqlite:///var/my.db`. Percent signs are not decoded.
 */
export const sqliteFileIn = (url: string): string | null =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/u, '') : null
