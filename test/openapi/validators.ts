import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'

/** Finds what is wrong with a document; nothing: it is valid. */
type FindFaults = (text: string) => Promise<readonly string[]>

/** Rules that state the specification. Those about taste, such as descriptions everywhere, are not among them. */
const specification = [
  'struct',
  'no-unresolved-refs',
  'no-identical-paths',
  'no-path-trailing-slash',
  'no-enum-type-mismatch',
  'no-schema-type-mismatch',
  'no-required-schema-properties-undefined',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'operation-parameters-unique',
  'path-declaration-must-exist',
  'path-not-include-query',
  'path-parameters-defined',
  'security-defined',
] as const

/** After all else is found to be right, the first validator takes a property called `$ref` for a reference. */
const COLUMN_CALLED_REF = "Can't resolve [object Object], only internal refs are supported."

/** The second one calls the method of this name on the properties, whichever they are. */
const [OWN, OTHER] = ['"hasOwnProperty"', '"a column called hasOwnProperty"']

let config: ReturnType<typeof createConfig> | undefined

/**
 * Two programs that share no code: one compares the document with the JSON Schema that the specification publishes, the
 * other walks over it with rules of its own and follows the references. Both know 3.1 and 3.2.
 */
const validators: Readonly<Record<'seriousme' | 'redocly', FindFaults>> = {
  seriousme: async (text) => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>)
    if (valid || errors === COLUMN_CALLED_REF) return []
    return Array.isArray(errors) ? errors.map((error) => JSON.stringify(error)) : [String(errors)]
  },
  redocly: async (text) => {
    config ??= createConfig({ rules: Object.fromEntries(specification.map((rule) => [rule, 'error' as const])) })
    const problems = await lintFromString({ source: text.replaceAll(OWN, OTHER), config: await config })
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`)
  },
}

/** What either validator finds wrong, by its name. */
export async function faultsIn(text: string): Promise<Readonly<Record<keyof typeof validators, readonly string[]>>> {
  const [seriousme, redocly] = await Promise.all([validators.seriousme(text), validators.redocly(text)])
  return { seriousme, redocly }
}

export const noFaults = { seriousme: [], redocly: [] }
