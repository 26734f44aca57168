import { explain } from './explain.ts'
import { myGlobals, myItemPermissions, myPermissions, myRoles, readMe, trackPage } from './self.ts'
import { clearCache, randomText, serverHealth, serverInfo } from './server.ts'

/** What can be asked of the service beside its data; each protocol gives the rows its own addresses. */
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
