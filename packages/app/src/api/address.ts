/** The path under which the service answers, without a slash at its end: `/admin/` is below it. */
export const root: string = new URL('..', document.baseURI).pathname.replace(/\/$/u, '')

/** The path of the app itself, without a slash at its end. */
export const appRoot: string = `${root}/admin`

/** Where a route of the API is, from the root of the origin. */
export const apiPath = (path: string): string => `${root}${path}`
