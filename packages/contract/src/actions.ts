/** What permissions allow, in the order of the bits of access in `GET /server/app`. */
export const actions = ['create', 'read', 'update', 'delete', 'share'] as const
export type Action = (typeof actions)[number]
