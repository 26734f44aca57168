/** Whether the client already has what this tag stands for (`If-None-Match`). */
export const matches = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(',').some((entry) => entry.trim().replace(/^W\//u, '') === tag || entry.trim() === '*')
