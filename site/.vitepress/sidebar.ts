const group = (text: string, pages: Readonly<Record<string, string>>) => ({
  text,
  items: Object.entries(pages).map(([title, link]) => ({ text: title, link })),
})

/** The pages in the order in which they are read. `test/docs/site.test.ts` checks that none is missing. */
export const sidebar = [
  group('Begin', {
    Quickstart: '/quickstart',
    'The admin app': '/admin',
    'Look at a database': '/guides/try',
    'An API for an existing shop': '/tutorials/shop',
    'A multi-tenant app': '/tutorials/tenants',
    'Find your task': '/tasks',
  }),
  group('Guides', {
    'Query guide': '/query',
    Relations: '/relations',
    'Writing items': '/writing',
    GraphQL: '/graphql',
    Authentication: '/authentication',
    'Permissions cookbook': '/permissions',
    Errors: '/errors',
    'Change the schema': '/schema-changes',
    Snapshots: '/guides/snapshots',
    'Use @directus/sdk': '/sdk',
    'Migrate from Directus': '/guides/from-directus',
    'Coming from …': '/coming-from',
  }),
  group('Operation', {
    Install: '/guides/install',
    'What Tain does to your database': '/database',
    Settings: '/configuration',
    'Command line': '/cli',
    'The terminal': '/guides/terminal',
    'Check a deployment': '/guides/doctor',
    Limits: '/limits',
    Deploy: '/deploy',
    'Upgrade and back up': '/upgrade',
    'Remove Tain': '/guides/remove',
    Databases: '/dialects',
  }),
  group('Internals', {
    'Access control': '/access',
    Names: '/names',
    'Changing the schema': '/schema',
    Security: '/security',
    Architecture: '/architecture',
    Performance: '/performance',
    Measurements: '/measurements',
  }),
]
