import { ServiceError } from '@tain/contract'
import { inputOf } from '../lib/read-input.ts'
import type { SignedIn } from '../procedure.ts'
import type { Caller } from './callers.ts'
import { close, type Connection } from './connection.ts'
import { answer, checkMembers, errorAnswer, type Message, type Uid } from './message.ts'
import { holderOf } from './places.ts'
import { shownError } from './socket-refusal.ts'
import { say, type SocketServices } from './socket-services.ts'

const members = ['access_token', 'refresh_token', 'email', 'password', 'otp'] as const

/** Signs in, also again. Who fails is shown out, or becomes the public where that may connect. */
export async function answerAuth(
  { body, uid }: Message,
  connection: Connection,
  services: SocketServices,
): Promise<void> {
  try {
    const { caller, refreshToken } = await identify(body, connection, services)
    if (!connection.place.hold(holderOf(caller.actor.user, connection.client.ip)))
      throw new ServiceError('REQUESTS_EXCEEDED', 'Too many connections of this user are open. Close some first.')
    signedIn(connection, caller, services)
    const given = refreshToken === null ? {} : { refresh_token: refreshToken }
    say(connection, answer('auth', uid, { status: 'ok', ...given }), services)
  } catch (error) {
    await refuse(error, uid, connection, services)
  }
}

interface Identified {
  readonly caller: Caller
  /** null: the caller has one, or needs none. */
  readonly refreshToken: string | null
}

async function identify(body: Message['body'], { client }: Connection, services: SocketServices): Promise<Identified> {
  checkMembers(body, members)
  const { access_token: token, refresh_token: refreshToken, email, password, otp } = body
  const find = (given: string) => services.callers.find({ token: given, address: client.ip })
  if (typeof token === 'string' && token !== '') return { caller: await find(token), refreshToken: null }
  const tokens =
    refreshToken === undefined
      ? await tokensBy(
          'login',
          { email, password, ...(otp === undefined ? {} : { otp }), mode: 'json' },
          client,
          services,
        )
      : await tokensBy('refresh', { refresh_token: refreshToken, mode: 'json' }, client, services)
  return { caller: await find(tokens.accessToken), refreshToken: tokens.refreshToken }
}

/** Tokens by the same procedure, with the same limits and delays, as over HTTP. */
async function tokensBy(
  name: 'login' | 'refresh',
  payload: object,
  client: Connection['client'],
  { procedures }: SocketServices,
): Promise<SignedIn> {
  const run = procedures[name]
  if (run === undefined) throw new ServiceError('INVALID_CREDENTIALS')
  const nothing = () => {
    throw new TypeError('a sign-in selects nothing and has no document')
  }
  const call = {
    actor: null,
    input: inputOf(name, payload),
    context: { client, cookies: { refresh: null, session: null } },
    origin: client,
    isDryRun: false,
    selection: nothing,
    document: nothing,
  }
  return (await run(call as never)) as SignedIn
}

/** The connection speaks for this caller from here on. */
export function signedIn(connection: Connection, caller: Caller, { watch, hub }: SocketServices): void {
  connection.unwatch()
  connection.caller = caller
  connection.deadline = null
  connection.hasSignedIn = true
  connection.unwatch = watch.add({ caller, lost: () => close(connection, 'unauthorized') })
  hub?.changed(connection.audience)
}

/** A failure of the service, or too many attempts, change nothing. Wrong credentials end what was before. */
async function refuse(error: unknown, uid: Uid, connection: Connection, services: SocketServices): Promise<void> {
  const shown = shownError(error)
  if (shown.status >= 500 || shown.status === 429) {
    if (shown.status === 500) services.observe({ kind: 'realtime-failed', what: 'auth', error })
    return say(connection, errorAnswer('auth', uid, shown), services)
  }
  if (services.config.restSocketAuth === 'public') await becomePublic(connection, services)
  say(connection, errorAnswer('auth', uid, new ServiceError('AUTH_FAILED', shown.message)), services)
  if (services.config.restSocketAuth !== 'public') end(connection, services)
}

async function becomePublic(connection: Connection, services: SocketServices): Promise<void> {
  forget(connection, services)
  const address = connection.client.ip
  // Public connections of one address are counted; a user's connection that turns public keeps its place.
  connection.place.hold(holderOf(null, address))
  signedIn(connection, await services.callers.find({ token: null, address }), services)
}

/** Nobody speaks any more: subscriptions tell nothing until somebody signs in. */
function forget(connection: Connection, { hub }: SocketServices): void {
  connection.unwatch()
  connection.caller = null
  hub?.changed(connection.audience)
}

function end(connection: Connection, services: SocketServices): void {
  forget(connection, services)
  close(connection, 'unauthorized')
}

export function refuseFirst(connection: Connection, uid: Uid, services: SocketServices): void {
  const error = new ServiceError(
    'AUTH_FAILED',
    'The first message has to sign in: {"type": "auth", "access_token": …}.',
  )
  say(connection, errorAnswer('auth', uid, error), services)
  end(connection, services)
}

export function timeOut(connection: Connection, services: SocketServices): void {
  connection.deadline = null
  say(connection, errorAnswer('auth', undefined, new ServiceError('AUTH_TIMEOUT')), services)
  end(connection, services)
}

/** The token has run out. Somebody may sign in again; until then nobody speaks, or the public where that may connect. */
export function expire(connection: Connection, services: SocketServices): void {
  const { restSocketAuth, restSocketAuthTimeout } = services.config
  forget(connection, services)
  say(connection, errorAnswer('auth', undefined, new ServiceError('TOKEN_EXPIRED')), services)
  if (restSocketAuth !== 'public') connection.deadline = performance.now() + restSocketAuthTimeout * 1000
  else
    void becomePublic(connection, services).catch((error: unknown) => {
      services.observe({ kind: 'realtime-failed', what: 'auth', error })
      close(connection, 'unauthorized')
    })
}
