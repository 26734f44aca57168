/** The input of procedures without members. */
export type NoInput = Readonly<Record<string, never>>

/** A row of the contract's table of procedures, as far as a client needs it. */
export interface Procedure<Input, Output> {
  readonly rest: readonly (readonly [method: string, path: string, constants?: Readonly<Record<string, string>>])[]
  /** Where each member of the input is sent. */
  readonly input: Readonly<
    Record<string, 'body' | 'whole body' | 'path' | 'raw path' | 'query' | 'query list' | 'address'>
  >
  readonly read: 'data' | 'json' | 'text' | 'nothing' | 'redirect' | 'health' | 'data or text'
  /** Changes nothing, so that it may be repeated. */
  readonly isSafe?: true
  /** The body is a document of its own. */
  readonly hasDocument?: true
  /** Needs no token. */
  readonly isOpen?: true
  /** Only types. */
  readonly types?: { readonly input: Input; readonly output: Output }
}

/** A procedure that returns items of a collection of the service, with the fields that the caller selects. */
export interface ItemProcedure<Collection extends string, IsList extends boolean, Input = NoInput> extends Procedure<
  never,
  never
> {
  readonly items: Collection
  readonly isList: IsList
  /** Only a type. */
  readonly given?: Input
}
