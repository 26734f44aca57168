/**
 * The file that a URL names, or null for a database with a server: `sqlite:./my.db`, `sqlite:/var/my.db`,
 * `sqlite:///var/my.db`. Percent signs are not decoded.
 */
export const fileInUrl = (url: string): string | null =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/u, '') : null
