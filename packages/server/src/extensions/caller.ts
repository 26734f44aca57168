import type { Actor } from '../access/actor.ts'
import type { Caller } from './api.ts'

export const callerOf = ({ user, role, isAdmin }: Actor): Caller => ({ user, role, isAdmin })
