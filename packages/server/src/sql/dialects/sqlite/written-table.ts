/** The table that a statement of this service writes to. */
export const writtenTable = (text: string): string | undefined =>
  /^(?:insert into|update|delete from) "main"\."((?:[^"]|"")*)"/u.exec(text)?.[1]?.replaceAll('""', '"')
