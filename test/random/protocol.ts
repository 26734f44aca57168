/** The protocols that one read is sent in. Both must give what the access definition says. */
export type Protocol = 'rest' | 'graphql'

export const protocolsOf = (through: Protocol | 'both'): readonly Protocol[] =>
  through === 'both' ? ['rest', 'graphql'] : [through]
