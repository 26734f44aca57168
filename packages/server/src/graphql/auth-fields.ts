import { ServiceError } from '@tain/contract'
import { GraphQLNonNull, type GraphQLOutputType } from 'graphql'
import type { SignedIn } from '../auth/issue.ts'
import type { Procedure } from '../auth/auth-procedure.ts'
import type { Procedures } from '../auth/procedures/index.ts'
import { atLeast } from '../lib/minimum-duration.ts'
import { authMode, authTokens, secondFactor, texts } from './procedure-types.ts'
import type { Answer, ProcedureCall, ProcedureField } from './root-procedure.ts'
import { scalars } from './scalars.ts'
import type { Arguments } from './selection-to-query.ts'

const text = { type: scalars.String }
const needed = { type: new GraphQLNonNull(scalars.String) }
const mode = { type: authMode }

interface Row extends Pick<ProcedureField, 'name' | 'args' | 'callers' | 'isOpen'> {
  readonly type: GraphQLOutputType
  readonly answer: (result: unknown, call: ProcedureCall) => Answer
  /** Whether a call with these arguments reads or sets cookies. */
  readonly usesCookies?: (args: Arguments) => boolean
}

const done = (): Answer => ({ value: true })
const shown = (value: unknown): Answer => ({ value })

/** Tokens that go into cookies are left out of the response body. */
function signedIn(result: unknown, { visitor }: ProcedureCall): Answer {
  const tokens = result as SignedIn
  visitor.signedIn(tokens)
  const { accessToken, refreshToken, expires } = tokens
  switch (tokens.mode) {
    case 'json':
      return { value: { access_token: accessToken, refresh_token: refreshToken, expires: String(expires) } }
    case 'cookie':
      return { value: { access_token: accessToken, expires: String(expires) } }
    case 'session':
      return { value: { expires: String(expires) } }
  }
}

const keepsCookies = ({ mode: kept }: Arguments) => kept !== undefined && kept !== null && kept !== 'json'
const mayReadCookies = (args: Arguments) =>
  keepsCookies(args) || (args['mode'] !== 'json' && (args['refresh_token'] ?? null) === null)

/** Names and types of the authentication fields. */
const rows: Readonly<Record<keyof Procedures, Row>> = {
  login: {
    name: 'auth_login',
    callers: 'anybody',
    isOpen: true,
    type: authTokens,
    args: { email: needed, password: needed, mode, otp: text },
    answer: signedIn,
    usesCookies: keepsCookies,
  },
  refresh: {
    name: 'auth_refresh',
    callers: 'anybody',
    isOpen: true,
    type: authTokens,
    args: { refresh_token: text, mode },
    answer: signedIn,
    usesCookies: mayReadCookies,
  },
  logout: {
    name: 'auth_logout',
    callers: 'anybody',
    isOpen: true,
    type: scalars.Boolean,
    args: { refresh_token: text, mode },
    answer: (_, { visitor }) => {
      visitor.signedOut()
      return done()
    },
    usesCookies: mayReadCookies,
  },
  requestPassword: {
    name: 'auth_password_request',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { email: needed, reset_url: text },
    answer: done,
  },
  resetPassword: {
    name: 'auth_password_reset',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { token: needed, password: needed },
    answer: done,
  },
  invite: {
    name: 'users_invite',
    callers: 'users',
    type: scalars.Boolean,
    args: { email: { type: texts }, role: needed, invite_url: text },
    answer: done,
  },
  acceptInvite: {
    name: 'users_invite_accept',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { token: needed, password: needed },
    answer: done,
  },
  register: {
    name: 'users_register',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { email: needed, password: needed, verification_url: text, first_name: text, last_name: text },
    answer: done,
  },
  verifyEmail: {
    name: 'users_register_verify',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { token: needed },
    answer: (user) => ({ value: user !== null }),
  },
  generateTfa: {
    name: 'users_me_tfa_generate',
    callers: 'users',
    isOpen: true,
    type: secondFactor,
    args: { password: text },
    answer: shown,
  },
  enableTfa: {
    name: 'users_me_tfa_enable',
    callers: 'users',
    isOpen: true,
    type: scalars.Boolean,
    args: { otp: needed, secret: needed },
    answer: done,
  },
  disableTfa: {
    name: 'users_me_tfa_disable',
    callers: 'users',
    type: scalars.Boolean,
    args: { otp: needed },
    answer: done,
  },
  disableTfaOf: {
    name: 'users_tfa_disable',
    callers: 'administrators',
    type: scalars.Boolean,
    args: { id: { type: new GraphQLNonNull(scalars.ID) } },
    answer: done,
  },
  setup: {
    name: 'server_setup',
    callers: 'anybody',
    type: scalars.Boolean,
    args: { data: { type: new GraphQLNonNull(scalars.JSON) } },
    answer: done,
  },
}

async function run(procedure: Procedure<unknown, unknown>, call: ProcedureCall): Promise<unknown> {
  const { args, visitor } = call
  const sent = args['data'] ?? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
  const work = async () =>
    procedure.run({ actor: call.actor, input: procedure.check(sent), context: visitor.context() })
  return procedure.minimumDuration === undefined ? work() : atLeast(procedure.minimumDuration, work)
}

/** Each field may appear once per operation: one request is one attempt. */
export const authFields: readonly ProcedureField[] = Object.entries(rows).map(
  ([procedure, { answer, usesCookies, ...row }]) => ({
    ...row,
    operation: 'mutation',
    isOnce: true,
    resolve: async (call) => {
      const { authentication } = call.services
      if (authentication === null) throw new ServiceError('FORBIDDEN')
      if (usesCookies?.(call.args) === true) call.visitor.checkOrigin()
      // The `Procedures` table pairs each procedure with its input and output types.
      const found = authentication[procedure as keyof Procedures] as unknown as Procedure<unknown, unknown>
      return answer(await run(found, call), call)
    },
  }),
)
