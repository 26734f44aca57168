import type { CallOptions } from '../options.ts'
import type { ItemProcedure, NoInput, Procedure } from '../procedure.ts'
import type { Aliases, NoAliases } from './paths.ts'
import type { Selection } from './queries.ts'
import type { Row } from './rows.ts'
import type { LooseRow, LooseSchema } from './schema.ts'

/** The schema that knows the collection: the caller's, or none. */
type Knowing<S, C> = C extends keyof S ? S : LooseSchema

type Selected<S, C, P extends string, A> = C extends keyof S ? Row<S, C, P, A> : LooseRow

/** The overload of most procedures is the last one: the compiler reports the errors of that. */
export interface Call<S> {
  <C extends string, IsList extends boolean, Input, P extends string = '*', const A extends Aliases = NoAliases>(
    procedure: ItemProcedure<C, IsList, Input>,
    ...given: NoInput extends Input
      ? [query?: Selection<Knowing<S, C>, C, P, A>, options?: CallOptions]
      : [query: Selection<Knowing<S, C>, C, P, A> & Input, options?: CallOptions]
  ): Promise<IsList extends true ? Selected<S, C, P, A>[] : Selected<S, C, P, A>>
  <Input, Output>(
    procedure: Procedure<Input, Output> & { readonly items?: never },
    ...given: NoInput extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions]
  ): Promise<Output>
}
