/** The weights of the types that an `Accept` header names. Patterns such as image/* say nothing about new formats. */
export function weightsOf(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (type === '' || type.includes('*')) continue
    const weight = parameters.find((parameter) => /^q\s*=/u.test(parameter))?.split('=')[1]
    const number = weight === undefined ? 1 : Number(weight)
    weights.set(type, number >= 0 && number <= 1 ? number : 0)
  }
  return weights
}
