import type { ServiceProcedureName } from '@tain/contract'
import type { Implementations } from '../../procedure.ts'
import { appStart } from './app-start.ts'
import { explain } from './explain.ts'
import { previewPermissions } from './preview.ts'
import { myGlobals, myItemPermissions, myPermissions, myRoles, readMe, trackPage } from './self.ts'
import { clearCache, randomText, serverHealth, serverInfo, serverPing, serverReady } from './server.ts'
import type { SystemServices } from './system-services.ts'

/** Procedures about the caller and about the service itself. */
export const createServiceProcedures = (services: SystemServices): Implementations<ServiceProcedureName> => ({
  readMe: readMe(services),
  trackPage: trackPage(services),
  myRoles: myRoles(services),
  myGlobals: myGlobals(services),
  myPermissions: myPermissions(services),
  myItemPermissions: myItemPermissions(services),
  explain: explain(services),
  previewPermissions: previewPermissions(services),
  appStart: appStart(services),
  serverInfo: serverInfo(services),
  serverHealth: serverHealth(services),
  serverPing: serverPing(),
  serverReady: serverReady(services),
  randomText: randomText(),
  clearCache: clearCache(services),
})
