/** The protocol of the requests. */
export type Through = 'rest' | 'graphql'
