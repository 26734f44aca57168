/** What happens inside, for whoever wants to log or count it. */
export type Observation =
  | {
      readonly kind: 'schema-loaded'
      readonly version: number
      readonly collections: number
      readonly milliseconds: number
      readonly hidden: readonly { schema: string; table: string; column: string | null; reason: string }[]
    }
  | { readonly kind: 'poll-failed'; readonly error: unknown }
  | { readonly kind: 'answer-outdated'; readonly had: number; readonly found: number }
  | { readonly kind: 'structure-changed'; readonly error: unknown }
  | { readonly kind: 'import-progress'; readonly collection: string; readonly rows: number; readonly rate: number }

export type Observe = (observation: Observation) => void
