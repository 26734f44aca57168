import type { Catalogue, TableRef } from '../../schema/change.ts'

/** Names for new objects of a change: unused in the database, and each given only once. */
export interface Names {
  free(table: TableRef, column: string, suffix: string): Promise<string>
}

export function createNames(catalogue: Catalogue, tables: readonly TableRef[]): Names {
  const given = new Set(tables.map(({ schema, table }) => JSON.stringify([schema, table])))
  return {
    async free(table, column, suffix) {
      for (let count = 1; ; count += 1) {
        const name = await catalogue.freeName(table, column, count === 1 ? suffix : `${suffix}_${count}`)
        if (given.size < given.add(JSON.stringify([table.schema, name])).size) return name
      }
    },
  }
}
