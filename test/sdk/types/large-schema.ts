const TEXTS = Array.from({ length: 15 }, (_, index) => `text${index}`)

const listed = (names: readonly string[], text: (name: string) => string) => names.map(text).join('; ')

/** A schema in the form of "tain types generate": every collection has 20 fields and leads to three others. */
export function largeSchema(count: number): string {
  const collections = Array.from({ length: count }, (_, index) => {
    const [a, b, many] = [(index * 7 + 1) % count, (index * 13 + 2) % count, (index * 17 + 3) % count]
    const row = `interface C${index} { id: number; made: string; ${listed(TEXTS, (name) => `${name}: string | null`)}
      a: C${a}['id'] | C${a} | null; b: C${b}['id'] | C${b}; many: C${many}['id'][] | C${many}[] }`
    const filter = `interface F${index} { _and?: readonly F${index}[]; id?: Numbers; a?: Numbers | F${a}
      b?: Numbers | F${b}; many?: F${many}; ${listed(TEXTS, (name) => `${name}?: Texts`)} }`
    const member = `c${index}: { row: C${index}; key: number; create: Partial<C${index}>; update: Partial<C${index}>
      filter: F${index}; may: 'read' | 'create' | 'update' | 'delete'; singleton: false; inferred: 'many'
      types: { id: 'integer'; made: 'timestamp'; ${listed(TEXTS, (name) => `${name}: 'string'`)} }
      relations: { a: { one: 'c${a}' }; b: { one: 'c${b}' }; many: { many: 'c${many}' } } }`
    return { types: `${row}\n${filter}\n`, member }
  })
  const shared = `interface Numbers { _eq?: number; _gt?: number }\ninterface Texts { _eq?: string; _contains?: string }\n`
  const members = collections.map(({ member }) => member).join('\n')
  return `${shared}${collections.map(({ types }) => types).join('')}export interface Schema {\n${members}\n}\n`
}
