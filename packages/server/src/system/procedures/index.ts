import { explain } from './explain.ts'
import { myGlobals, myItemPermissions, myPermissions, myRoles, readMe, trackPage } from './self.ts'
import { clearCache, randomText, serverHealth, serverInfo } from './server.ts'

/** System procedures; each protocol maps them to its own routes or fields. */
export const systemProcedures = {
  readMe,
  trackPage,
  myRoles,
  myGlobals,
  myPermissions,
  myItemPermissions,
  explain,
  serverInfo,
  serverHealth,
  randomText,
  clearCache,
} as const
